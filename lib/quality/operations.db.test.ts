import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { listExports } from '../exports/list.db.ts';
import { seedRun } from '../exports/testing/run.db.ts';
import { registerWorker, stopWorker } from '../work/workers.db.ts';
import { concerns } from './concerns.ts';
import { operations } from './operations.db.ts';
import { listRunItems } from './run-list.db.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('with nothing to do nothing is wrong, worker or not', async () => {
  const view = await operations(database.pool);
  expect(view).toMatchObject({ workers: [], runs: [] });
  expect(concerns(view)).toEqual([]);
});

test('items that wait while no worker is seen are a concern, measured from the database', async () => {
  const { pool } = database;
  const run = await seedRun(
    pool,
    [
      { contentId: 'a', end: 'pending' },
      { contentId: 'b', end: 'allow' },
    ],
    { name: 'open' },
  );
  const view = await operations(pool);
  expect(view.runs).toMatchObject([{ id: run.runId, state: 'running', pending: 1, leased: 0, scheduled: false }]);
  expect(view.runs[0]?.oldestAt).toBeInstanceOf(Date);
  expect(concerns(view)).toEqual([{ kind: 'no_worker', items: 1 }]);
  const worker = await registerWorker(pool, { environment: 'test', version: '0' });
  expect(concerns(await operations(pool))).toEqual([]);
  await pool.query("UPDATE worker SET last_seen_at = now() - interval '1 minute'");
  expect(concerns(await operations(pool))).toMatchObject([{ kind: 'no_worker' }]);
  await stopWorker(pool, worker.id);
});

test('a run that was stopped by its classifier is a concern; finished runs are not there', async () => {
  const { pool } = database;
  await seedRun(pool, [{ contentId: 'c', end: 'allow' }], { name: 'done' });
  await pool.query("UPDATE run SET state = 'paused', pause_reason = 'config_error' WHERE name = 'open'");
  const view = await operations(pool);
  expect(view.runs.map((run) => run.name)).toEqual(['open']);
  expect(concerns(view)).toMatchObject([{ kind: 'run_paused', name: 'open', reason: 'config_error' }]);
});

test('runs are listed newest first, page by page, none twice and none left out', async () => {
  const { pool } = database;
  for (let i = 0; i < 3; i++) await seedRun(pool, [{ contentId: `d${i}`, end: 'allow' }], { name: `run ${i}` });
  const seen: string[] = [];
  for (let after: string | null = null, pages = 0; pages < 10; pages++) {
    const page = await listRunItems(pool, { after, limit: 2 });
    seen.push(...page.items.map((run) => run.name));
    after = page.next;
    if (after === null) break;
  }
  expect(seen).toEqual(['run 2', 'run 1', 'run 0', 'done', 'open']);
  expect((await listRunItems(pool, { after: 'nonsense', limit: 1 })).items[0]?.name).toBe('run 2');
});

test('exports are listed with their run, newest first, and without the place on a disk', async () => {
  const { pool } = database;
  const id = (n: number) => `exp_00000000-0000-4000-8000-00000000000${n}`;
  for (const n of [1, 2, 3]) {
    await pool.query(
      "INSERT INTO export (id, run_id, path, created_by, created_at) SELECT $1, id, '/a/b', 'cli', now() + $2 * interval '1 second' FROM run WHERE name = 'done'",
      [id(n), n],
    );
  }
  const first = await listExports(pool, { limit: 2 });
  expect(first.items).toMatchObject([
    { exportId: id(3), run: 'done', state: 'building', rows: null },
    { exportId: id(2) },
  ]);
  expect(JSON.stringify(first)).not.toContain('/a/b');
  expect((await listExports(pool, { after: first.next })).items).toMatchObject([{ exportId: id(1) }]);
});
