import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { startAttempts } from './attempts.db.ts';
import { commitFlush } from './commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from './item-end.ts';
import { leaseBatch } from './lease.db.ts';
import { cancelRun } from './run-control.db.ts';
import { runsWithWork } from './runs.db.ts';
import { sweepLeases } from './sweep.db.ts';
import { expireLeases } from './testing/corpus.db.ts';
import { callAll, WORKER_A, WORKER_B } from './testing/drive.db.ts';
import { untilWaiting } from './testing/gate.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';
import { measuredBefore } from './units.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase({ max: 6, pipeline: true });
  room = await workroom(database.pool);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM unit_cap');
});

const some = (name: string, count: number, source = name) =>
  Array.from({ length: count }, (_, at) => ({ contentId: `${name}-${at}`, source }));
const lease = (runId: string, workerId = WORKER_A) => leaseBatch(database.pool, { runId, workerId });
const start = (runId: string, items: readonly HeldItem[], units: number) =>
  startAttempts(database.pool, { runId, items: items.map((item) => ({ ...item, units })) });
const commit = (runId: string, results: readonly ItemResult[]) =>
  commitFlush(database.pool, { runId, policy: room.policy, slot: 1, results });
const cap = (source: string, units: number) =>
  database.pool.query("INSERT INTO unit_cap (source, daily_units, set_by) VALUES ($1, $2, 'cli')", [source, units]);
const budget = async (runId: string) =>
  (await database.pool.query('SELECT reserved, used FROM run_budget WHERE run_id = $1', [runId])).rows[0];
const day = async (source: string) =>
  (
    await database.pool.query(
      `SELECT reserved, used, (clock_timestamp() AT TIME ZONE 'UTC')::date - day AS ago FROM unit_day
       WHERE source = $1 ORDER BY day`,
      [source],
    )
  ).rows;
/** Everything together is the sum of its parts, and what is set aside belongs to attempts without an end. */
const BOOKS_CLOSE = `
  SELECT (SELECT sum(reserved) FROM unit_day WHERE source = '*') AS "all",
         (SELECT sum(reserved) FROM unit_day WHERE source <> '*') AS parts,
         (SELECT sum(reserved) FROM run_budget) AS runs,
         (SELECT coalesce(sum(reserved_units), 0) FROM attempt a WHERE NOT EXISTS (
            SELECT 1 FROM attempt_outcome o WHERE (o.work_item_id, o.number) = (a.work_item_id, a.number))) AS open`;
afterEach(async () => {
  const { rows } = await database.pool.query(BOOKS_CLOSE);
  expect(new Set(Object.values(rows[0])).size).toBe(1);
});
const failed = (item: HeldItem, attempt: number | undefined, units: number | null): ItemResult => ({
  id: item.id,
  token: item.token,
  attempt: attempt ?? null,
  end: {
    kind: 'failure',
    code: 'timeout',
    retryAfterMs: null,
    pauses: false,
    call: { latencyMs: 1, units, raw: null, weight: null },
  },
});
const released = (item: HeldItem, attempt: number | undefined, end: ItemEnd = { kind: 'released' }): ItemResult => ({
  id: item.id,
  token: item.token,
  attempt: attempt ?? null,
  end,
});

test('an attempt sets its units aside, and a flush gives them back and books what was used, failures too', async () => {
  const runId = await room.start(some('settle', 3));
  const items = await lease(runId);
  const { attempts } = await start(runId, items, 10);
  expect(await budget(runId)).toEqual({ reserved: 30, used: 0 });
  expect(await day('settle')).toEqual([{ reserved: 30, used: 0, ago: 0 }]);
  expect(await day('*')).toEqual([{ reserved: 30, used: 0, ago: 0 }]);
  const [first, second, third] = items;
  if (!first || !second || !third) throw new Error('nothing leased');
  await commit(runId, [
    failed(first, attempts.get(first.id), 4),
    failed(second, attempts.get(second.id), null),
    released(third, attempts.get(third.id)),
  ]);
  expect(await budget(runId)).toEqual({ reserved: 0, used: 4 });
  expect(await day('settle')).toEqual([{ reserved: 0, used: 4, ago: 0 }]);
  expect(await day('*')).toEqual([{ reserved: 0, used: 4, ago: 0 }]);
});

/** What was started today was started yesterday. Attempts are insert-only, so their trigger has to look away. */
async function passMidnight(runId: string): Promise<void> {
  await database.pool.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE unit_day SET day = day - 1;
    UPDATE attempt SET started_at = started_at - interval '1 day' WHERE work_item_id IN (
      SELECT id FROM work_item WHERE run_id = '${runId}');
    COMMIT`);
}

test('what an attempt used is counted on the day it began, though it ends on another', async () => {
  const runId = await room.start(some('midnight', 1));
  const [item] = await lease(runId);
  if (!item) throw new Error('nothing leased');
  const { attempts } = await start(runId, [item], 10);
  await passMidnight(runId);
  await commit(runId, [failed(item, attempts.get(item.id), 4)]);
  expect(await day('midnight')).toEqual([{ reserved: 0, used: 4, ago: 1 }]);
});

test('a cap holds for a start during which the day turns', async () => {
  const runId = await room.start(some('turn', 2));
  const items = await lease(runId);
  await cap('turn', 15);
  // The first rows of the day are written just before midnight: whoever looks for today's finds none.
  await database.pool.query(`
    CREATE SEQUENCE day_rows;
    CREATE FUNCTION just_before_midnight() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN IF nextval(''day_rows'') = 1 THEN NEW.day := NEW.day - 1; END IF; RETURN NEW; END';
    CREATE TRIGGER just_before_midnight BEFORE INSERT ON unit_day FOR EACH ROW WHEN (NEW.source = 'turn')
      EXECUTE FUNCTION just_before_midnight()`);
  try {
    const { attempts, capped } = await start(runId, items, 10);
    expect([attempts.size, capped.size]).toEqual([1, 1]);
  } finally {
    await database.pool.query('DROP FUNCTION just_before_midnight CASCADE; DROP SEQUENCE day_rows');
  }
});

test('what was set aside for a call whose worker is gone counts as used; a cancelled run gives it back', async () => {
  const expired = await room.start(some('expired', 2));
  await start(expired, await lease(expired), 10);
  await expireLeases(database.pool);
  await sweepLeases(database.pool, { slot: 1 });
  expect(await budget(expired)).toEqual({ reserved: 0, used: 20 });
  const cancelled = await room.start(some('cancelled', 2));
  await start(cancelled, await lease(cancelled), 10);
  await cancelRun(database.pool, { runId: cancelled, actor: 'cli' });
  expect(await budget(cancelled)).toEqual({ reserved: 0, used: 0 });
  expect([...(await day('expired')), ...(await day('cancelled'))].map(({ reserved }) => reserved)).toEqual([0, 0]);
});

test('nothing starts that would pass the ceiling, and what is refused spends nothing', async () => {
  const runId = await room.start(some('ceiling', 3), { ceilingUnits: 25 });
  const items = await lease(runId);
  const first = await start(runId, items, 10);
  expect([...first.attempts.keys()]).toEqual(items.slice(0, 2).map(({ id }) => id));
  expect([...first.atCeiling]).toEqual([items[2]?.id]);
  expect(first.stillReserved).toBe(true);
  const [one, two, three] = items;
  if (!one || !two || !three) throw new Error('nothing leased');
  await commit(runId, [failed(one, first.attempts.get(one.id), 10), failed(two, first.attempts.get(two.id), 10)]);
  const second = await start(runId, [three], 10);
  expect(second).toMatchObject({ stillReserved: false });
  expect([...second.atCeiling]).toEqual([three.id]);
  expect((await start(runId, [three], 5)).attempts.size).toBe(1);
  expect(await budget(runId)).toEqual({ reserved: 5, used: 20 });
});

test('two workers that start at once never pass the ceiling together', async () => {
  const runId = await room.start(some('together', 400), { ceilingUnits: 1_000 });
  const [a, b] = [await lease(runId), await lease(runId, WORKER_B)];
  // Both come to the books while somebody else has them in hand: whoever reads without the lock has read too early.
  await database.pool.query('INSERT INTO run_budget (run_id) VALUES ($1)', [runId]);
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM run_budget WHERE run_id = $1 FOR UPDATE', [runId]);
  const starting = [start(runId, a, 7), start(runId, b, 7)] as const;
  await untilWaiting(database.pool, 2);
  await holder.query('COMMIT');
  holder.release();
  const started = await Promise.all(starting);
  expect(started[0].attempts.size + started[1].attempts.size).toBe(142);
  expect(await budget(runId)).toEqual({ reserved: 994, used: 0 });
});

test.each(['capped-source', '*'])(
  'a cap on %s puts off what would pass it until tomorrow, and the run goes on',
  async (source) => {
    const [before] = (await day(source)).filter(({ ago }) => ago === 0);
    await cap(source, (before ? before.used + before.reserved : 0) + 15);
    const name = source === '*' ? 'capped-all' : source;
    const runId = await room.start(some(name, 2), { ceilingUnits: 1_000 });
    const items = await lease(runId);
    const { attempts, capped, atCeiling, untilTomorrowMs } = await start(runId, items, 10);
    expect([attempts.size, capped.size, atCeiling.size]).toEqual([1, 1, 0]);
    expect(untilTomorrowMs).toBeGreaterThan(0);
    const put = items.filter(({ id }) => capped.has(id));
    await commit(
      runId,
      put.map((item) => released(item, undefined, { kind: 'released', delayMs: untilTomorrowMs })),
    );
    const waits = await database.pool.query(
      `SELECT attempt_count, date_trunc('minute', next_attempt_at + interval '30 seconds', 'UTC')
              = date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day' AS at_midnight
     FROM work_item WHERE run_id = $1 AND state = 'pending'`,
      [runId],
    );
    expect(waits.rows).toEqual([{ attempt_count: 0, at_midnight: true }]);
    expect(await lease(runId)).toEqual([]);
  },
);

test('nothing of a closed source is leased or started, and the rest of the run goes on', async () => {
  const runId = await room.start([...some('shut', 2, 'shut'), ...some('wide', 2, 'wide')]);
  const both = await lease(runId);
  const close = (open: boolean) =>
    database.pool.query("UPDATE source SET classifying_open = $1 WHERE name = 'shut'", [open]);
  await close(false);
  const { attempts } = await start(runId, both, 1);
  const started = both.filter(({ id }) => attempts.has(id));
  expect(started.map(({ source }) => source)).toEqual(['wide', 'wide']);
  await commit(
    runId,
    both.map((item) => released(item, attempts.get(item.id))),
  );
  expect((await lease(runId)).map(({ source }) => source)).toEqual(['wide', 'wide']);
  await close(true);
  expect((await lease(runId)).map(({ source }) => source)).toEqual(['shut', 'shut']);
});

test('a run of which every source is closed keeps no place from others', async () => {
  const runId = await room.start(some('idle', 1, 'idle'));
  const withWork = async () => (await runsWithWork(database.pool, 16, runId)).length;
  expect(await withWork()).toBe(1);
  await database.pool.query("UPDATE source SET classifying_open = false WHERE name = 'idle'");
  expect(await withWork()).toBe(0);
});

test('while a canary is open only its items are leased and started', async () => {
  const runId = await room.start(some('canary', 12), { canary: 4 });
  const items = await lease(runId);
  const drawn = await database.pool.query('SELECT id FROM work_item WHERE run_id = $1 AND canary ORDER BY id', [runId]);
  expect(items.map(({ id }) => id)).toEqual(drawn.rows.map(({ id }) => id));
  expect((await start(runId, items, 1)).attempts.size).toBe(4);
  expect(await lease(runId)).toEqual([]);
});

test('what was leased before a canary opened does not start with it', async () => {
  const runId = await room.start(some('late-canary', 3));
  const items = await lease(runId);
  await database.pool.query('UPDATE run SET canary_open = true, canary_count = 1 WHERE id = $1', [runId]);
  expect((await start(runId, items, 1)).attempts.size).toBe(0);
});

test('a lane that takes a run up again knows what its answers measured', async () => {
  const classifier = scriptedClassifier();
  const runId = await room.start(some('measured', 3), { classifier });
  const asked = { runId, policyVersion: room.policy.policyVersion };
  expect(await measuredBefore(database.pool, asked)).toMatchObject({ requests: 0 });
  const items = await lease(runId);
  const { attempts } = await start(runId, items, 10);
  await commit(runId, await callAll(database.pool, { runId, policy: room.policy, classifier }, items, attempts));
  expect(await measuredBefore(database.pool, asked)).toMatchObject({ requests: 3, units: (await budget(runId)).used });
});
