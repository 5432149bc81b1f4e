import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import pg from 'pg';

/** What the stories have in common: signing in, finding a case by its content, and looking behind the page. */

export const PASSWORD = 'docket-demo';
export type Who = 'reviewer' | 'reviewer2' | 'moderator' | 'manager' | 'owner';
export const addressOf = (who: Who) => `${who}@docket.example`;

/** The database of the server under test. */
export function databaseUrl(): string {
  return readFileSync(path.join(process.env.E2E_DATA_DIR ?? '', 'database-url'), 'utf8').trim();
}

let pool: pg.Pool | undefined;

/** Looks behind the page, and makes happen what only time or another program would. */
export async function sql<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
  pool ??= new pg.Pool({ connectionString: databaseUrl(), max: 2, allowExitOnIdle: true });
  return (await pool.query<Row>(statement, values)).rows;
}

export async function one<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row> {
  const [row] = await sql<Row>(statement, values);
  if (!row) throw new Error('the database has no such row');
  return row;
}

export async function signIn(page: Page, who: Who): Promise<void> {
  await page.goto('/signin');
  // A press before the page is ready may be lost on a busy machine; a person presses again, and so does this.
  await expect(async () => {
    if ((await page.getByRole('main').getAttribute('id')) === 'main') return;
    await page.getByLabel('E-mail').fill(addressOf(who), { timeout: 2_000 });
    await page.getByLabel('Password').fill(PASSWORD, { timeout: 2_000 });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click({ timeout: 2_000 });
    await expect(page.getByRole('main')).toHaveAttribute('id', 'main', { timeout: 8_000 });
  }).toPass({ timeout: 60_000 });
}

/** Some case that waits for a reviewer, whatever the stories before have decided. */
export const anyOpen = (kind: 'decision' | 'exception') =>
  one<{ id: string }>(
    `SELECT id FROM review_case WHERE kind = $1 AND tier = 'reviewer' AND state = 'open'
       AND (not_before IS NULL OR not_before < now()) ORDER BY opened_at LIMIT 1`,
    [kind],
  );

/** Another person at another machine. */
export async function person(browser: Browser, who: Who): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, who);
  return page;
}

/** The unclosed case of a content item of the demo, once the worker has opened it. */
export async function caseOf(contentId: string): Promise<string> {
  const open = () =>
    sql<{ id: string }>("SELECT id FROM review_case WHERE content_id = $1 AND state <> 'closed'", [contentId]);
  await expect.poll(async () => (await open()).length, { message: `a case of ${contentId}` }).toBe(1);
  return (await open())[0]?.id ?? '';
}

/** Opens a case by its address and claims it. */
export async function take(page: Page, caseId: string): Promise<void> {
  await page.goto(`/cases/${caseId}`);
  await expect(page.getByText(/Nobody is reading this case|You hold this case/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Yours for')).toBeVisible();
}

/** Gives back what people of the stories before still hold, so that a story begins with free hands. */
export async function freeHands(): Promise<void> {
  await sql("UPDATE review_case SET claim_expires_at = now() - interval '1 second' WHERE state = 'claimed'");
  await expect
    .poll(
      async () => (await sql("SELECT 1 FROM review_case WHERE state = 'claimed' AND claim_expires_at < now()")).length,
    )
    .toBe(0);
}

/** What a content item is now. */
export function contentNow(contentId: string) {
  return one<{ status: string; status_action: string | null; status_version: number; status_rank: string }>(
    'SELECT status, status_action, status_version, status_rank FROM content_item WHERE content_id = $1',
    [contentId],
  );
}

export function recordsOf(contentId: string) {
  return sql<{ version: number; prior_status: string; next_status: string; actor: string; answers: string | null }>(
    'SELECT version, prior_status, next_status, actor, answers FROM rollback_record WHERE content_id = $1 ORDER BY version',
    [contentId],
  );
}

/** Collects whatever the browser complains about, a refused script among it. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => {
    // An expected refusal (401, 403, 404, 409) is an answer, and the browser logs every one of them.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) found.push(message.text());
  });
  return found;
}
