import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { aliveWorkers, beat, registerWorker, stopWorker } from './workers.db.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ max: 20 });
});
beforeEach(() => database.pool.query('DELETE FROM worker'));
afterAll(() => database.close());

const register = () => registerWorker(database.pool, { environment: 'development', version: 'test' });
/** The worker was last seen so many seconds ago, by the database's clock. */
const silent = (id: string, seconds: number) =>
  database.pool.query(`UPDATE worker SET last_seen_at = clock_timestamp() - make_interval(secs => $2) WHERE id = $1`, [
    id,
    seconds,
  ]);
const alive = async () => (await aliveWorkers(database.pool)).map((worker) => worker.slot);

test('each takes the lowest slot that is free', async () => {
  const [one, two, three] = [await register(), await register(), await register()];
  expect([one.slot, two.slot, three.slot]).toEqual([1, 2, 3]);
  await stopWorker(database.pool, two.id);
  expect((await register()).slot).toBe(2);
  expect(await alive()).toEqual([1, 2, 3]);
});

test('twelve that start at once take twelve slots', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, register));
  expect(all.map((worker) => worker.slot).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
});

test('silent for a while is not alive; silent for long loses the slot, and the sign of life says so', async () => {
  const one = await register();
  await silent(one.id, 20);
  expect(await alive()).toEqual([]);
  expect(await beat(database.pool, one.id)).toBe(true);
  expect(await alive()).toEqual([1]);
  await silent(one.id, 61);
  expect((await register()).slot).toBe(1);
  expect(await beat(database.pool, one.id)).toBe(false);
});

test('who has stopped is not alive and signs nothing', async () => {
  const one = await register();
  await stopWorker(database.pool, one.id);
  expect(await alive()).toEqual([]);
  expect(await beat(database.pool, one.id)).toBe(false);
});
