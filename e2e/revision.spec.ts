import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { caseOf, databaseUrl, freeHands, signIn, sql, take } from './desk.ts';

test.beforeEach(freeHands);

/** What a platform does when somebody edits: the same content with another revision. */
function edit(contentId: string, revision: string, text: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'docket-edit-'));
  try {
    const row = { content_id: contentId, content_type: 'comment', source: 'demo/comments', revision, text };
    writeFileSync(path.join(folder, 'edit.ndjson'), `${JSON.stringify(row)}\n`);
    const command = ['--import', 'tsx', 'worker/cli.ts', 'import', path.join(folder, 'edit.ndjson')];
    execFileSync(process.execPath, command, { env: { ...process.env, DATABASE_URL: databaseUrl() }, stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a decision never lands on a text that was not read: an edit under the reader refuses it and keeps the note', async ({
  page,
}) => {
  const caseId = await caseOf('demo-comment-35');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.getByRole('textbox', { name: /^Note/ }).fill('read before the edit');
  edit('demo-comment-35', 'edited', 'I take it back.');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('a');
  await expect(page.getByText(/A newer revision has arrived/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0);
  await expect(page.getByText('read before the edit')).toBeVisible();
  await expect
    .poll(() => sql('SELECT closed_as FROM review_case WHERE id = $1', [caseId]), { timeout: 60_000 })
    .not.toEqual([{ closed_as: 'reviewed' }]);
  expect(await sql('SELECT 1 FROM review WHERE case_id = $1', [caseId])).toEqual([]);
  const kept = await sql("SELECT text FROM note WHERE kind = 'draft' AND subject = $1", [`case:${caseId}`]);
  expect(kept).toEqual([{ text: 'read before the edit' }]);
});

test('an edit within the six seconds refuses the decision that is on its way, and its author is told', async ({
  page,
}) => {
  const caseId = await caseOf('demo-comment-37');
  await signIn(page, 'reviewer');
  await take(page, caseId);
  await page.keyboard.press('a');
  await expect(page.getByRole('status').filter({ hasText: 'allow sent' })).toBeVisible();
  // At once: the command that would import it takes longer to start than six seconds on a busy machine.
  await sql(
    `WITH arrived AS (INSERT INTO revision (content_id, revision, text_sha256, input_sha256, text_bytes, code_points)
       SELECT content_id, 'edited', repeat('0', 64), repeat('0', 64), 1, 1 FROM revision
       WHERE content_id = $1 AND revision = '1' RETURNING content_id)
     UPDATE content_item c SET current_revision = 'edited', status_rank = 'policy' FROM arrived a
     WHERE c.content_id = a.content_id`,
    ['demo-comment-37'],
  );
  await expect(page.getByRole('alert').filter({ hasText: 'A newer revision has arrived' })).toBeVisible();
  await expect
    .poll(() => sql('SELECT state, refusal FROM submission WHERE case_id = $1', [caseId]))
    .toEqual([{ state: 'refused', refusal: 'stale_revision' }]);
  await page.goto('/my/reviews');
  await expect(page.getByRole('row').filter({ hasText: 'refused: a newer revision came' })).toBeVisible();
});
