import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { complaints, databaseUrl, one, person, signIn, sql } from './desk.ts';

/** Money and the life of a run, from the page of the run. */

const docket = async (...args: string[]) => {
  const done = await promisify(execFile)(process.execPath, ['scripts/docket.mjs', ...args, '--json'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, DATABASE_URL: databaseUrl() },
  }).catch((failed: { stdout?: string }) => ({ stdout: failed.stdout ?? '' }));
  return JSON.parse(done.stdout);
};

/** Imports texts of many lengths under a source of their own and starts a run over them. @returns its id. */
async function startRun(name: string, ...options: string[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docket e2e '));
  try {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      content_id: `${name}-${at}`,
      content_type: 'post',
      revision: '1',
      source: name,
      text: `Post ${at} of ${name}. ${'A few quiet words about the garden. '.repeat(1 + (at % 8) ** 2)}`,
    }));
    const file = path.join(folder, 'posts.ndjson');
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await docket('import', file, '--snapshot', name);
  } finally {
    await rm(folder, { recursive: true });
  }
  const { policy_version: policy } = await one<{ policy_version: string }>(
    "SELECT policy_version FROM run WHERE name = 'demo'",
  );
  const { run } = await docket('run', 'start', '--snapshot', name, '--policy', policy, '--name', name, ...options);
  return run;
}

const state = async (id: string) => (await one<{ state: string }>('SELECT state FROM run WHERE id = $1', [id])).state;
const until = (id: string, wanted: string) => expect.poll(() => state(id), { timeout: 60_000 }).toBe(wanted);

async function fits(page: Page, address: string): Promise<void> {
  const axe = await new AxeBuilder({ page }).analyze();
  expect(
    axe.violations.map((violation) => violation.id),
    address,
  ).toEqual([]);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(beyond, `${address} at ${width}`).toBe(0);
  }
}

test('a manager sees what a run will use, gives the go by keyboard, and it finishes', async ({ page, browser }) => {
  const found = complaints(page);
  const id = await startRun('canary-story', '--canary', '12');
  await until(id, 'waiting');
  await signIn(page, 'manager');
  await page.goto(`/runs/${id}`);
  await expect(page.getByText(/The whole run will use about [0-9,]+ units/)).toBeVisible();
  await expect(page.getByText('Measured on 12 items of 60')).toBeVisible();
  await fits(page, '/runs/{id}, waiting');

  // A reviewer can neither see nor do it, by whatever way.
  const reviewer = await person(browser, 'reviewer');
  const headers = { origin: new URL(reviewer.url()).origin };
  for (const step of ['go', 'concurrency', 'resume']) {
    const answer = await reviewer.request.post(`/api/desk/runs/${id}/${step}`, { data: { concurrency: 2 }, headers });
    expect(answer.status(), step).toBe(403);
  }
  expect((await reviewer.request.get(`/api/desk/runs/${id}/signals`)).status()).toBe(403);
  await reviewer.context().close();

  const ceiling = page.getByLabel('Ceiling in units, at which it pauses');
  await ceiling.fill('ten');
  await expect(page.getByText('Write a whole number of units.')).toBeVisible();
  await ceiling.fill('5');
  await expect(page.getByRole('button', { name: 'Give the go' })).toBeDisabled();
  await expect(page.getByLabel(/It may pause on the way/)).toBeVisible();
  await ceiling.fill('10,000,000');
  await ceiling.press('Enter');
  await until(id, 'complete');
  await expect(page.getByText('The arithmetic closes. Every revision ended')).toBeVisible();
  const audit = await sql<{ actor: string; data: { ceiling_units: number; projection: { items: number } } }>(
    "SELECT actor, data FROM audit_event WHERE subject = $1 AND kind = 'run.go'",
    [`run:${id}`],
  );
  expect(audit).toMatchObject([{ data: { ceiling_units: 10_000_000, projection: { items: 60, measured: 12 } } }]);
  expect(audit[0]?.actor).toMatch(/^user:/);
  expect(found).toEqual([]);
});

test('a run stops at its ceiling and goes on with a higher one', async ({ page }) => {
  const id = await startRun('ceiling-story', '--ceiling', '2000');
  await until(id, 'paused');
  const { used } = await one<{ used: number }>('SELECT used::int AS used FROM run_budget WHERE run_id = $1', [id]);
  expect(used).toBeLessThanOrEqual(2_000);
  await signIn(page, 'manager');
  await page.goto(`/runs/${id}`);
  await expect(page.getByText('The next call would pass the approved ceiling of units.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toHaveCount(0);
  await fits(page, '/runs/{id}, at its ceiling');
  const ceiling = page.getByLabel(/^A higher ceiling in units/);
  await ceiling.fill('1500');
  await expect(page.getByRole('button', { name: 'Go on with this ceiling' })).toBeDisabled();
  await ceiling.fill('10000000');
  await page.getByRole('button', { name: 'Go on with this ceiling' }).click();
  await until(id, 'complete');
});

test('the bound is raised in two steps, with the signals beside it, and a paused source says so', async ({ page }) => {
  await startRun('pace-story-first');
  await docket('source', 'pause', 'pace-story-first');
  const id = await startRun('pace-story', '--concurrency', '2', '--not-before', '2099-01-01T00:00:00Z');
  try {
    await docket('source', 'pause', 'pace-story');
    await signIn(page, 'manager');
    await page.goto(`/runs/${id}`);
    await expect(page.getByText(/waits with 60 items: its classifying is paused/)).toBeVisible();
    await page.getByRole('button', { name: 'Change the bound' }).click();
    await expect(page.getByText('Nothing has been called yet: there is nothing to go by.')).toBeVisible();
    const bound = page.getByLabel(/^Calls at a time in each worker/);
    await expect(bound).toBeFocused();
    await bound.fill('6');
    await bound.press('Enter');
    await expect(page.getByText(/From 2 to 6: .* Press again to do it\./)).toBeVisible();
    const current = () => one<{ concurrency: number }>('SELECT concurrency FROM run WHERE id = $1', [id]);
    expect((await current()).concurrency).toBe(2);
    await fits(page, '/runs/{id}, raising the bound');
    await page.getByRole('button', { name: 'Yes, raise it to 6' }).click();
    await expect(page.getByText('Each worker makes at most 6 calls at a time')).toBeVisible();
    expect((await current()).concurrency).toBe(6);
    await page.getByRole('button', { name: 'Change the bound' }).click();
    await page.getByLabel(/^Calls at a time in each worker/).fill('3');
    await page.getByRole('button', { name: 'Set it' }).click();
    await expect(page.getByText('Each worker makes at most 3 calls at a time')).toBeVisible();
  } finally {
    for (const name of ['pace-story', 'pace-story-first']) {
      await docket('run', 'cancel', name);
      await docket('source', 'resume', name);
    }
  }
});
