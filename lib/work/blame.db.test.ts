import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { startAttempts } from './attempts.db.ts';
import { followsItem } from './blame.db.ts';
import { commitFlush } from './commit.db.ts';
import type { HeldItem } from './item-end.ts';
import { leaseBatch } from './lease.db.ts';
import { callAll, WORKER_A } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

test('a fault of the set-up follows an item only once others were both called and answered after it', async () => {
  const { pool } = database;
  const texts = { poison: 'fail=config_error', early: 'fine', late: 'fine' };
  const runId = await room.start(Object.entries(texts).map(([contentId, text]) => ({ contentId, text, source: 's' })));
  const held = await leaseBatch(pool, { runId, workerId: WORKER_A });
  const of = (contentId: string): HeldItem => held.find((item) => item.contentId === contentId) ?? expect.fail();
  const start = (...items: HeldItem[]) => startAttempts(pool, { runId, items });
  const end = async (item: HeldItem, attempts: ReadonlyMap<number, number>): Promise<void> => {
    // Instants are kept to the millisecond: each step is to have one of its own.
    await pool.query('SELECT pg_sleep(0.003)');
    const job = { runId, policy: room.policy, classifier: room.classifier };
    await commitFlush(pool, { ...job, slot: 1, results: await callAll(pool, job, [item], attempts) });
    await pool.query('SELECT pg_sleep(0.003)');
  };
  const follows = (outcome: 'ok' | 'config_error' | 'model_mismatch' | 'timeout', item = of('poison')) =>
    followsItem(pool, { runId, itemId: item.id, outcome });

  const { attempts } = await start(of('poison'), of('early'));
  expect(await follows('config_error')).toBe(false);
  await end(of('poison'), attempts);
  expect(await follows('config_error')).toBe(false);
  // Called before: its answer says nothing about a set-up that may have changed since.
  await end(of('early'), attempts);
  expect(await follows('config_error')).toBe(false);
  const later = await start(of('late'));
  expect(await follows('config_error')).toBe(false);
  await end(of('late'), later.attempts);
  expect([await follows('config_error'), await follows('model_mismatch')]).toEqual([true, true]);
  expect([await follows('timeout'), await follows('ok')]).toEqual([false, false]);
  expect(await follows('config_error', of('late'))).toBe(false);
});
