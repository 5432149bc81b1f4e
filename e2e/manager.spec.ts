import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { complaints, databaseUrl, one, person, signIn, sql } from './desk.ts';

/** The manager's pages: what they say is what the database says. */

const PAGES = ['/operations', '/runs', '/quality', '/exports'];
const docket = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/docket.mjs', ...args, '--json'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, DATABASE_URL: databaseUrl() },
  });

async function demoRun(): Promise<string> {
  const state = () => one<{ id: string; state: string }>("SELECT id, state FROM run WHERE name = 'demo'");
  await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('complete');
  return (await state()).id;
}

async function term(page: Page, name: string): Promise<number> {
  const link = page.getByRole('link', { name: new RegExp(`^[0-9,]+\\s*${name}$`) }).first();
  return Number(((await link.textContent()) ?? '').replace(/[^0-9]/g, ''));
}

test('a manager begins at operations, and a running desk has nothing wrong with it', async ({ page }) => {
  await demoRun();
  await signIn(page, 'manager');
  await expect(page).toHaveURL(/\/operations$/);
  await expect(page.getByText(/^Nothing is wrong, checked /)).toBeVisible();
  const waiting = await one<{ count: number }>(`
    SELECT count(*)::int AS count FROM review_case k JOIN content_item c ON c.content_id = k.content_id
    WHERE k.tier = 'reviewer' AND k.kind = 'decision' AND k.state IN ('open', 'claimed') AND k.purpose = 'triage'
      AND (k.not_before IS NULL OR k.not_before <= now()) AND c.current_revision = k.revision AND c.status <> 'removed'`);
  const row = page.getByRole('row').filter({ hasText: 'Review' }).first();
  await expect(row.getByRole('cell').nth(1)).toContainText(waiting.count.toLocaleString('en'));
});

test("a run's equation closes and is the database's", async ({ page }) => {
  const id = await demoRun();
  await signIn(page, 'manager');
  await page.goto('/runs');
  await page.getByRole('link', { name: /^demo/ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${id}$`));
  await expect(page.getByText('The arithmetic closes. Every revision ended')).toBeVisible();
  const counted = await one<{ revisions: number; decisions: number; exceptions: number }>(
    `SELECT (SELECT count(*)::int FROM snapshot_member m JOIN run r ON r.snapshot_id = m.snapshot_id WHERE r.id = $1) AS revisions,
            (SELECT count(*)::int FROM work_item i JOIN decision d USING (decision_id) WHERE i.run_id = $1 AND i.state IN ('classified', 'exported')) AS decisions,
            (SELECT count(*)::int FROM work_item WHERE run_id = $1 AND state = 'failed_review') AS exceptions`,
    [id],
  );
  expect(await term(page, 'revisions')).toBe(counted.revisions);
  expect(await term(page, 'decisions')).toBe(counted.decisions);
  expect(await term(page, 'exceptions')).toBe(counted.exceptions);
  expect(await term(page, 'pending')).toBe(0);
  expect(counted.revisions).toBe(counted.decisions + counted.exceptions);
  await expect(page.getByText('closes', { exact: true })).toBeVisible();
});

test('a waiting run is paused and resumed by hand, and both are on record', async ({ page }) => {
  await demoRun();
  const { id } = await one<{ id: string }>(`
    INSERT INTO run (name, snapshot_id, policy_version, mode, classifier, concurrency, not_before, created_by)
    SELECT 'later', snapshot_id, policy_version, 'record', classifier, 1, now() + interval '1 day', 'cli'
    FROM run WHERE name = 'demo' RETURNING id`);
  await sql(
    `INSERT INTO work_item (run_id, content_id, revision, decision_id, source, content_type)
     SELECT $1, content_id, revision, decision_id, source, content_type
     FROM work_item i JOIN run r ON r.id = i.run_id WHERE r.name = 'demo' LIMIT 1`,
    [id],
  );
  try {
    await signIn(page, 'manager');
    await page.goto(`/runs/${id}`);
    await expect(page.getByText(/It waits on purpose until/)).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Paused by hand.')).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    const audit = await sql<{ kind: string; actor: string }>(
      'SELECT kind, actor FROM audit_event WHERE subject = $1 ORDER BY id',
      [`run:${id}`],
    );
    expect(audit.map((event) => event.kind)).toEqual(['run.paused', 'run.resumed']);
    expect(audit.every((event) => event.actor.startsWith('user:'))).toBe(true);
    // A second window that still shows the old state is told, and shows the present one.
    await sql("UPDATE run SET state = 'paused', pause_reason = 'operator' WHERE id = $1", [id]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('The run is no longer in that state')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  } finally {
    await sql(
      "UPDATE work_item SET state = 'failed_review', failure_code = 'cancelled', failed_at = now() WHERE run_id = $1",
      [id],
    );
    await sql("UPDATE run SET state = 'cancelled', pause_reason = NULL, ended_at = now() WHERE id = $1", [id]);
  }
});

test('precision on the quality page is what the scores and the reviews give, counted another way', async ({ page }) => {
  await demoRun();
  await signIn(page, 'manager');
  await page.goto('/quality');
  await expect(page.getByRole('heading', { name: 'Precision by label, reviewed only' })).toBeVisible();
  const { document, policy_version } = await one<{ document: string; policy_version: string }>(`
    SELECT document, policy_version FROM policy_version p WHERE slug = 'forum' AND EXISTS (SELECT FROM run r WHERE r.policy_version = p.policy_version)
    ORDER BY n DESC LIMIT 1`);
  const { rules } = JSON.parse(document) as { rules: { label: string; reviewAt: number }[] };
  for (const { label, reviewAt } of rules) {
    const counted = await one<{ n: number; k: number; flagged: number }>(
      `SELECT count(DISTINCT d.decision_id)::int AS flagged, count(DISTINCT v.decision_id)::int AS n,
              (count(DISTINCT v.decision_id) FILTER (WHERE $1 = ANY (v.labels)))::int AS k
       FROM decision d LEFT JOIN review v ON v.decision_id = d.decision_id
         AND NOT EXISTS (SELECT FROM review w WHERE w.decision_id = v.decision_id AND (w.at, w.id) > (v.at, v.id))
       WHERE d.policy_version = $3 AND (d.classification -> 'scores' ->> $1)::float8 >= $2`,
      [label, reviewAt, policy_version],
    );
    const row = page
      .getByRole('row')
      .filter({ has: page.getByText(label, { exact: true }) })
      .first();
    await expect(row, label).toContainText(`${counted.k} of ${counted.n}`);
    await expect(row, label).toContainText(`${counted.n} of ${counted.flagged}`);
  }
});

test('a bundle that was exported from the command line is listed with the hash it was printed with', async ({
  page,
}) => {
  await demoRun();
  const out = await mkdtemp(path.join(tmpdir(), 'docket e2e '));
  try {
    const printed = JSON.parse((await docket('export', 'demo', '--out', out)).stdout);
    const verified = JSON.parse(
      (await docket('verify', printed.path, '--manifest-sha256', printed.manifest_sha256)).stdout,
    );
    expect(verified).toMatchObject({ ok: true, problems: [] });
    await signIn(page, 'manager');
    await page.goto('/exports');
    const row = page.getByRole('row').filter({ hasText: printed.export_id }).first();
    await expect(row).toContainText(printed.manifest_sha256);
    await expect(row).toContainText('published');
  } finally {
    await rm(out, { recursive: true });
  }
});

test('reviewers and moderators see none of it, by page or by route', async ({ browser }) => {
  const id = await demoRun();
  for (const who of ['reviewer', 'moderator'] as const) {
    const page = await person(browser, who);
    for (const address of [...PAGES, `/runs/${id}`]) {
      expect((await page.goto(address))?.status(), `${who} ${address}`).toBe(403);
    }
    for (const route of [
      '/api/desk/operations',
      '/api/desk/runs',
      `/api/desk/runs/${id}`,
      `/api/desk/runs/${id}/reconciliation`,
    ]) {
      expect((await page.request.get(route)).status(), `${who} ${route}`).toBe(403);
    }
    const headers = { origin: new URL(page.url()).origin };
    expect((await page.request.post(`/api/desk/runs/${id}/pause`, { data: {}, headers })).status()).toBe(403);
    await page.context().close();
  }
});

for (const theme of ['light', 'dark'] as const) {
  test(`the manager's pages are accessible in ${theme}, fit a telephone, and complain of nothing`, async ({
    browser,
  }) => {
    const id = await demoRun();
    const context = await browser.newContext({ colorScheme: theme });
    const page = await context.newPage();
    const found = complaints(page);
    await signIn(page, 'manager');
    for (const address of [...PAGES, `/runs/${id}`]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const axe = await new AxeBuilder({ page }).analyze();
      expect(
        axe.violations.map((violation) => violation.id),
        address,
      ).toEqual([]);
      for (const width of [390, 1024]) {
        await page.setViewportSize({ width, height: 844 });
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(beyond, `${address} at ${width}`).toBe(0);
      }
    }
    expect(found).toEqual([]);
    await context.close();
  });
}
