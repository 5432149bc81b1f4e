import { expect, test } from '@playwright/test';
import { caseOf, contentNow, freeHands, one, person, recordsOf, signIn, sql, take } from './desk.ts';

test.beforeEach(freeHands);

const reviewsOf = (caseId: string) =>
  sql<{ verdict: string; reason_code: string | null; labels: string[] }>(
    'SELECT verdict, reason_code, labels FROM review WHERE case_id = $1',
    [caseId],
  );

test('from the queue to a decision by keys alone; the next case is on screen before the first counts', async ({
  page,
}) => {
  // The oldest comes first, and this one belongs to no other story.
  await sql(
    "UPDATE review_case SET opened_at = '2026-01-01' WHERE content_id = 'demo-comment-18' AND state <> 'closed'",
  );
  await signIn(page, 'reviewer');
  await expect(page.getByRole('button', { name: 'Start reviewing' })).toBeVisible();
  // The page is on screen before its keys are: whoever presses too early presses again.
  await expect(async () => {
    if (!page.url().includes('/cases/')) await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/cases\//, { timeout: 3_000 });
  }).toPass();
  await expect(page.getByText('Yours for')).toBeVisible();
  const first = page.url().split('/').at(-1) ?? '';
  await expect
    .poll(() => sql("SELECT 1 FROM review_case WHERE state = 'claimed' AND prefetched").then((rows) => rows.length))
    .toBe(1);
  await page.keyboard.press('a');
  await expect(page.getByRole('status').filter({ hasText: 'allow sent' })).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(first));
  await expect(page.getByText('Yours for')).toBeVisible();
  expect(await reviewsOf(first)).toEqual([]);
  await expect.poll(() => reviewsOf(first)).toEqual([{ verdict: 'allow', reason_code: null, labels: [] }]);
  const closed = await one('SELECT state, closed_as FROM review_case WHERE id = $1', [first]);
  expect(closed).toEqual({ state: 'closed', closed_as: 'reviewed' });
});

test('a decision is taken back within its six seconds, with note and case as they were', async ({ page }) => {
  const caseId = await caseOf('demo-comment-40');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.keyboard.press('n');
  await page.keyboard.type('a reader might see it otherwise');
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
  await page.keyboard.press('u');
  await expect(page).toHaveURL(`/cases/${caseId}`);
  await expect(page.getByText('Yours for')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Note/ })).toHaveValue('a reader might see it otherwise');
  expect(await one('SELECT state FROM submission WHERE case_id = $1', [caseId])).toEqual({ state: 'taken_back' });
  expect(await reviewsOf(caseId)).toEqual([]);
});

test('a restriction needs a reason and is a proposal: nothing public changes', async ({ page }) => {
  const caseId = await caseOf('demo-comment-40');
  const before = await contentNow('demo-comment-40');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.keyboard.press('r');
  await expect(page.getByRole('checkbox', { name: 'threat' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('checkbox', { name: 'threat' })).not.toBeChecked();
  await page.keyboard.press('r');
  await expect(page.getByText('a reason is due')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio').first()).toBeChecked();
  expect(await sql("SELECT 1 FROM submission WHERE case_id = $1 AND state <> 'taken_back'", [caseId])).toEqual([]);
  await page.getByLabel('It announces or hints at harm to somebody.').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'restrict sent' })).toBeVisible();
  await expect
    .poll(() => reviewsOf(caseId))
    .toEqual([{ verdict: 'restrict', reason_code: 'threat_to_person', labels: ['threat'] }]);
  const after = await contentNow('demo-comment-40');
  expect([after.status, after.status_version]).toEqual([before.status, before.status_version + 1]);
  const proposed = await sql("SELECT state, action FROM enforcement_action WHERE content_id = 'demo-comment-40'");
  expect(proposed).toEqual([{ state: 'proposed', action: 'hide' }]);
  const [record] = (await recordsOf('demo-comment-40')).slice(-1);
  expect([record?.prior_status, record?.next_status]).toEqual(['published', 'published']);
  const events = await sql('SELECT kind FROM outbox_event WHERE content_id = $1', ['demo-comment-40']);
  expect(events).toEqual([{ kind: 'content.reviewed' }]);
});

test('an escalated case waits for the moderators with its reason and note, and for no reviewer', async ({
  page,
  browser,
}) => {
  const caseId = await caseOf('demo-comment-38');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Escalate to the moderators' });
  await dialog.getByLabel('Someone may be in danger').check();
  await dialog.getByRole('textbox', { name: /What should they know/ }).fill('He means the office at the mill.');
  await dialog.getByRole('button', { name: 'Escalate' }).click();
  await expect(page).not.toHaveURL(`/cases/${caseId}`);
  expect((await page.goto(`/cases/${caseId}`))?.status()).toBe(404);
  const moderator = await person(browser, 'moderator');
  await moderator.goto('/queue?tier=moderator');
  await expect(moderator.getByRole('cell', { name: 'Someone may be in danger' })).toBeVisible();
  await moderator.goto(`/cases/${caseId}`);
  await expect(moderator.getByText('Robin Reviewer escalated it: Someone may be in danger.')).toBeVisible();
  await expect(moderator.getByText('He means the office at the mill.')).toBeVisible();
});

test('of two reviewers one reads a case; who lost their claim is told, and keeps the note', async ({
  page,
  browser,
}) => {
  const caseId = await caseOf('demo-comment-39');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.getByRole('textbox', { name: /^Note/ }).fill('mine');
  const second = await person(browser, 'reviewer2');
  await second.goto(`/cases/${caseId}`);
  await expect(second.getByText('Robin Reviewer is reading this case')).toBeVisible();
  await second.goto('/queue');
  await expect(second.getByRole('row').filter({ hasText: 'break your legs' })).toContainText('Robin Reviewer');

  await sql("UPDATE review_case SET claim_expires_at = now() - interval '1 second' WHERE id = $1", [caseId]);
  await take(second, caseId);
  await second.keyboard.press('a');
  await expect(second.getByRole('status').filter({ hasText: 'allow sent' })).toBeVisible();

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('a');
  await expect(page.getByRole('alert').filter({ hasText: 'This was decided meanwhile' })).toBeVisible();
  await expect(page.getByText('Sascha Second has just sent a decision.')).toBeVisible();
  await expect(page.getByText('Your note, kept as a draft')).toBeVisible();
  await expect.poll(() => reviewsOf(caseId)).toHaveLength(1);
  const drafts = await sql("SELECT text FROM note WHERE kind = 'draft' AND subject = $1", [`case:${caseId}`]);
  expect(drafts).toEqual([{ text: 'mine' }]);
  await page.reload();
  await expect(page.getByText(/Sascha Second decided this/)).toBeVisible();
});

test('a skipped case stays for others, a deferred one leaves every queue', async ({ page }) => {
  const [skipped, deferred] = [await caseOf('demo-comment-41'), await caseOf('demo-comment-42')];
  await signIn(page, 'reviewer');
  await take(page, skipped);
  await page.keyboard.press('s');
  await expect(page).not.toHaveURL(`/cases/${skipped}`);
  // The next case is claimed by itself; only then can all hands be freed.
  await expect(page.getByText('Yours for')).toBeVisible();
  await freeHands();
  await take(page, deferred);
  await page.keyboard.press('d');
  await page.getByRole('button', { name: '4 hours' }).click();
  await expect(page).not.toHaveURL(`/cases/${deferred}`);
  await page.goto('/queue');
  await expect(page.getByRole('row').filter({ hasText: 'somebody beats you up' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'better off without me' })).toHaveCount(0);
  await sql('UPDATE review_case SET not_before = NULL WHERE id = $1', [deferred]);
});

test('the figure beside a queue is the length of its list', async ({ page }) => {
  await signIn(page, 'reviewer');
  for (const [path, queue, name] of [
    ['/queue', 'review', /^Review \d/],
    ['/queue/failed', 'failed', /^Failed \d/],
  ] as const) {
    await page.goto(path);
    const listed = (await (await page.request.get(`/api/desk/queue?queue=${queue}`)).json()).items.length;
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(listed + 1);
    await expect(page.getByRole('link', { name })).toContainText(String(listed));
  }
});

test('a failed case says in plain words what went wrong and that no machine has an opinion', async ({ page }) => {
  const caseId = await caseOf('demo-comment-54');
  await signIn(page, 'reviewer');
  await page.goto('/queue/failed');
  await expect(page.getByRole('row').filter({ hasText: 'no text' }).first()).toBeVisible();
  await take(page, caseId);
  await expect(page.getByText('There is no text to classify; the classifier was not asked.')).toBeVisible();
  await expect(page.getByText('No machine opinion exists')).toBeVisible();
  await expect(page.getByText('The text is empty.')).toBeVisible();
  await page.keyboard.press('a');
  await expect.poll(() => reviewsOf(caseId)).toEqual([{ verdict: 'allow', reason_code: null, labels: [] }]);
  const item = await one("SELECT state FROM work_item WHERE content_id = 'demo-comment-54'");
  expect(item).toEqual({ state: 'failed_review' });
});
