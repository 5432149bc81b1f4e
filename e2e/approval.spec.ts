import { expect, type Page, test } from '@playwright/test';
import { caseOf, contentNow, freeHands, one, person, recordsOf, signIn, sql, take } from './desk.ts';

test.beforeEach(freeHands);

async function proposalOf(contentId: string): Promise<string> {
  const found = () =>
    sql<{ id: string }>("SELECT id FROM enforcement_action WHERE content_id = $1 AND state = 'proposed'", [contentId]);
  await expect.poll(async () => (await found()).length).toBe(1);
  return (await found())[0]?.id ?? '';
}

/** Restricts a claimed case for the reason of its first label. */
async function restrict(page: Page, reason: string): Promise<void> {
  await page.keyboard.press('r');
  await page.getByLabel(reason).check();
  await page.getByRole('button', { name: 'Send the restriction' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'restrict sent' })).toBeVisible();
}

test('what a reviewer proposes a moderator approves, the owner reverses, and the timeline tells all of it', async ({
  page,
  browser,
}) => {
  const contentId = 'demo-comment-33';
  const before = await contentNow(contentId);
  await signIn(page, 'reviewer');
  await take(page, await caseOf(contentId));
  await page.getByRole('textbox', { name: /^Note/ }).fill('said of a whole group');
  await page.getByRole('heading', { level: 1 }).click();
  await restrict(page, 'It attacks people for who they are.');
  const action = await proposalOf(contentId);

  const moderator = await person(browser, 'moderator');
  await moderator.goto('/approvals');
  await expect(moderator.getByRole('row').filter({ hasText: 'go back to where they came from' })).toContainText(
    'Robin',
  );
  await moderator.goto(`/approvals/${action}`);
  await expect(moderator.getByText(/Robin Reviewer proposed it/)).toContainText('It attacks people for who they are.');
  await expect(moderator.getByText('said of a whole group').first()).toBeVisible();
  await expect(moderator.getByRole('definition').filter({ hasText: 'Nobody but its author' })).toBeVisible();
  await moderator.getByRole('button', { name: /^Approve/ }).click();
  await expect(moderator.getByText('Approved: the content is now hidden.')).toBeVisible();
  expect(await contentNow(contentId)).toMatchObject({ status: 'restricted', status_action: 'hide' });

  const owner = await person(browser, 'owner');
  await owner.goto(`/content/${contentId}`);
  await owner.getByRole('button', { name: /^Reverse record/ }).click();
  const dialog = owner.getByRole('dialog');
  await expect(dialog.getByText('The restriction that is applied ends.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Reverse', exact: true }).click();
  await expect(dialog.getByText('a reason is due')).toBeVisible();
  await dialog.getByLabel('The author objected, and is right').check();
  await dialog.getByRole('button', { name: 'Reverse', exact: true }).click();
  await expect(owner.getByText('Reversed: the content is now public.')).toBeVisible();
  const after = await contentNow(contentId);
  expect(after).toMatchObject({ status: 'published', status_action: null, status_version: before.status_version + 3 });
  expect(await one('SELECT state FROM enforcement_action WHERE id = $1', [action])).toEqual({ state: 'reversed' });

  const timeline = owner.getByRole('region', { name: /Timeline/ });
  for (const told of [
    'Revision 1 arrived',
    /^forum@1 decided review/,
    'Robin Reviewer (reviewer) decided restrict',
    '"hide" was proposed by Robin Reviewer',
    '"hide" was approved by Mika Moderator',
    '"hide" is applied',
    '"hide" was reversed',
    /^Record \d+: public → restricted: hidden/,
    /^Record \d+: restricted: hidden → public/,
  ]) {
    await expect(timeline.getByText(told).first()).toBeVisible();
  }
  const records = (await recordsOf(contentId)).slice(-3);
  expect(records.map((record) => record.version)).toEqual([1, 2, 3].map((n) => before.status_version + n));
  expect(records[2]?.answers).toBe(`record:${before.status_version + 2}`);
  await owner.reload();
  await expect(owner.getByRole('button', { name: /^Reverse record/ })).toBeVisible();
});

test('nobody approves what they proposed, on the page or behind it', async ({ page, browser, baseURL }) => {
  const contentId = 'demo-comment-34';
  await signIn(page, 'moderator');
  await take(page, await caseOf(contentId));
  await restrict(page, 'It attacks people for who they are.');
  const action = await proposalOf(contentId);
  await page.goto('/approvals');
  await expect(page.getByRole('row').filter({ hasText: 'lazy and dirty' })).toContainText('someone else decides');
  await page.goto(`/approvals/${action}`);
  await expect(page.getByRole('status').filter({ hasText: 'You proposed this yourself' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Approve/ })).toBeDisabled();
  await page.keyboard.press('a');
  const response = await page.request.post(`/api/desk/approvals/${action}/approve`, {
    headers: { origin: baseURL ?? '' },
    data: { revision: '1' },
  });
  expect([response.status(), (await response.json()).refusal]).toEqual([409, 'own_proposal']);
  expect(await one('SELECT state FROM enforcement_action WHERE id = $1', [action])).toEqual({ state: 'proposed' });

  const owner = await person(browser, 'owner');
  await owner.goto(`/approvals/${action}`);
  await owner.keyboard.press('r');
  await owner.getByLabel('It needs to be read in its context').check();
  await owner.getByRole('button', { name: 'Back to review' }).click();
  await expect(owner.getByText('Rejected, and sent back to review.')).toBeVisible();
  const caseId = await caseOf(contentId);
  await owner.goto(`/cases/${caseId}`);
  await expect(owner.getByText('A moderator rejected the restriction that was proposed')).toBeVisible();
});

test('a rejection that releases makes the content public and ends the proposal', async ({ page }) => {
  const action = await proposalOf('demo-comment-04');
  await signIn(page, 'moderator');
  await page.goto(`/approvals/${action}`);
  await expect(page.getByText(/the score reached its threshold/)).toBeVisible();
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText('a reason is due')).toBeVisible();
  await page.getByLabel('The text does not violate the policy').check();
  await page.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText('Rejected, and the content is public.')).toBeVisible();
  expect(await one('SELECT state FROM enforcement_action WHERE id = $1', [action])).toEqual({ state: 'rejected' });
  expect(await contentNow('demo-comment-04')).toMatchObject({ status: 'published', status_rank: 'moderator' });
});

test('of two who decide on one proposal the second is told who was first', async ({ page, browser }) => {
  const action = await proposalOf('demo-comment-03');
  await signIn(page, 'moderator');
  await page.goto(`/approvals/${action}`);
  const owner = await person(browser, 'owner');
  await owner.goto(`/approvals/${action}`);
  await expect(owner.getByRole('button', { name: /^Approve/ })).toBeVisible();
  await page.getByRole('button', { name: /^Approve/ }).click();
  await expect(page.getByText('Approved: the content is now hidden.')).toBeVisible();
  await owner.getByRole('button', { name: 'Reject…' }).click();
  await owner.getByLabel('The proposed action is too strong').check();
  await owner.getByRole('button', { name: 'Release' }).click();
  await expect(owner.getByText(/Mika Moderator approved it, and it is applied/).first()).toBeVisible();
  expect(await contentNow('demo-comment-03')).toMatchObject({ status: 'restricted' });
});
