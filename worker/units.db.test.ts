import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedAnswer, scriptedClassifier } from '../lib/classifier/testing/scripted.ts';
import { setClassifying } from '../lib/content/switch.db.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';
import { resumeRun } from '../lib/work/run-control.db.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { type Workroom, workroom } from '../lib/work/testing/workroom.db.ts';
import { workOn } from './testing/work-on.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase({ pipeline: true });
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const some = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ contentId: `${name}-${at}`, source: name }));

/** Works on one run until `enough` says so, then drains. */
function work(runId: string, classifier: typeof room.classifier, enough: () => Promise<boolean>): Promise<void> {
  return workOn(database.pool, runId, {
    classifier,
    enough,
    between: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
}

const stateIs = (runId: string, state: string) => async () => (await findRun(database.pool, runId))?.state === state;
const states = async (runId: string) =>
  (
    await database.pool.query(
      `SELECT source, state, count(*)::int, coalesce(bool_and(next_attempt_at > clock_timestamp()), false) AS waits
       FROM work_item WHERE run_id = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
      [runId],
    )
  ).rows;
const budget = async (runId: string) =>
  (await database.pool.query('SELECT reserved, used FROM run_budget WHERE run_id = $1', [runId])).rows[0];

test('a run stops at its ceiling with nothing under way, gives the rest back unspent, and goes on with a higher one', async () => {
  // A byte is a unit, as before anything is measured: what is set aside is what is used.
  const bytes = 500;
  const weight = { requestBytes: bytes, contentBytes: bytes };
  const classifier = scriptedClassifier({ answer: (call) => ({ ...markedAnswer(call), units: bytes, weight }) });
  const ceilingUnits = 40 * bytes;
  const rows = some('ceiling', 60).map((row) => ({ ...row, text: 'a'.repeat(bytes) }));
  const runId = await room.start(rows, { classifier, ceilingUnits });
  await work(runId, classifier, stateIs(runId, 'paused'));
  expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: 'ceiling' });
  const { used, reserved } = await budget(runId);
  expect(reserved).toBe(0);
  expect(used).toBe(ceilingUnits);
  const spent = await database.pool.query(
    `SELECT count(*)::int AS tried FROM work_item WHERE run_id = $1 AND state = 'pending' AND attempt_count > 0`,
    [runId],
  );
  expect(spent.rows).toEqual([{ tried: 0 }]);

  expect(await resumeRun(database.pool, { runId, ceilingUnits: 100_000_000, actor: 'cli' })).toMatchObject({
    ok: true,
  });
  await work(runId, classifier, stateIs(runId, 'complete'));
  expect(await states(runId)).toEqual([{ source: 'ceiling', state: 'classified', count: 60, waits: false }]);
  expect(classifier.calls.length).toBe(60);
});

test('what a cap puts off waits for tomorrow while other sources of the run go on', async () => {
  const classifier = scriptedClassifier();
  await database.pool.query("INSERT INTO unit_cap (source, daily_units, set_by) VALUES ('capped', 1, 'cli')");
  const runId = await room.start([...some('capped', 30), ...some('free', 30)], { classifier });
  const put = async () => (await states(runId)).some(({ state, waits }) => state === 'pending' && waits);
  const free = async () =>
    (await states(runId)).some(
      ({ source, state, count }) => source === 'free' && state === 'classified' && count === 30,
    );
  await work(runId, classifier, async () => (await put()) && (await free()));
  expect(await states(runId)).toEqual([
    { source: 'capped', state: 'pending', count: 30, waits: true },
    { source: 'free', state: 'classified', count: 30, waits: false },
  ]);
  await database.pool.query('DELETE FROM unit_cap');
});

test('a closed source waits while others go on, and nothing of it is skipped or repeated once it is open', async () => {
  const classifier = scriptedClassifier();
  const runId = await room.start([...some('shut', 300), ...some('wide', 300)], { classifier });
  expect(await setClassifying(database.pool, { source: 'shut', open: false, actor: 'cli' })).toMatchObject({
    ok: true,
  });
  const done = (source: string) => async () =>
    (await states(runId)).some((one) => one.source === source && one.state === 'classified' && one.count === 300);
  await work(runId, classifier, done('wide'));
  expect(await states(runId)).toEqual([
    { source: 'shut', state: 'pending', count: 300, waits: false },
    { source: 'wide', state: 'classified', count: 300, waits: false },
  ]);
  await setClassifying(database.pool, { source: 'shut', open: true, actor: 'cli' });
  await work(runId, classifier, stateIs(runId, 'complete'));
  expect(classifier.calls.length).toBe(600);
  expect(await budget(runId)).toMatchObject({ reserved: 0 });
});

test('a canary is called alone, then its run waits for the go with the rest untouched', async () => {
  const classifier = scriptedClassifier();
  const runId = await room.start(some('canary', 50), { classifier, canary: 8 });
  await work(runId, classifier, stateIs(runId, 'waiting'));
  expect(await states(runId)).toEqual([
    { source: 'canary', state: 'classified', count: 8, waits: false },
    { source: 'canary', state: 'pending', count: 42, waits: false },
  ]);
  expect(classifier.calls.length).toBe(8);
});
