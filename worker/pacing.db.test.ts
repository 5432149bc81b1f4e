import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gate, gate, markedAnswer, scriptedClassifier } from '../lib/classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';
import { BREAKER_PROBES_MAX, BREAKER_TRIP_COUNT } from '../lib/work/breaker.ts';
import { readPace } from '../lib/work/pace.db.ts';
import { reconcile } from '../lib/work/reconcile.db.ts';
import { resumeRun } from '../lib/work/run-control.db.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { makeDue } from '../lib/work/testing/corpus.db.ts';
import { type Workroom, workroom } from '../lib/work/testing/workroom.db.ts';
import { workOn } from './testing/work-on.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

/** Works on one run until `enough` says so, then drains. */
function work(runId: string, classifier: typeof room.classifier, enough: () => Promise<boolean>): Promise<void> {
  return workOn(database.pool, runId, { classifier, coolFactor: 0.01, enough, between: () => makeDue(database.pool) });
}

const stateIs = (runId: string, state: string) => async () => (await findRun(database.pool, runId))?.state === state;
const rows = (name: string, count: number, text = 'fine') =>
  Array.from({ length: count }, (_, at) => ({ contentId: `${name}-${at}`, source: name, text }));

test('a service that is down for good costs few attempts, pauses the run, and loses nothing', async () => {
  let up = false;
  const classifier = scriptedClassifier({
    answer: (call) => (up ? markedAnswer(call) : { outcome: 'transport_error', latencyMs: 1 }),
  });
  const runId = await room.start(rows('down', 400), { classifier });
  await work(runId, classifier, stateIs(runId, 'paused'));
  expect(await findRun(database.pool, runId)).toMatchObject({ pauseReason: 'bad_upstream' });
  // What tripped it, what was under way then, and the probes: not 400 items with four attempts each.
  expect(classifier.calls.length).toBeLessThanOrEqual(BREAKER_TRIP_COUNT + 8 + BREAKER_PROBES_MAX);
  const ended = await database.pool.query('SELECT state, count(*)::int FROM work_item WHERE run_id = $1 GROUP BY 1', [
    runId,
  ]);
  expect(ended.rows).toEqual([{ state: 'pending', count: 400 }]);

  up = true;
  await resumeRun(database.pool, { runId, actor: 'cli' });
  await work(runId, classifier, stateIs(runId, 'complete'));
  expect(await reconcile(database.pool, runId)).toMatchObject({ closes: true });
});

test('content that brings about a fault of the set-up pauses its run once; then it ends alone and the rest goes on', async () => {
  const classifier = scriptedClassifier({
    answer: (call) => (call.input.text === 'poison' ? { outcome: 'config_error', latencyMs: 1 } : markedAnswer(call)),
  });
  const runId = await room.start([{ contentId: 'poison', source: 'poison', text: 'poison' }, ...rows('sound', 300)], {
    classifier,
  });
  await work(runId, classifier, stateIs(runId, 'paused'));
  expect(await findRun(database.pool, runId)).toMatchObject({ pauseReason: 'config_error' });
  // The first fault is the run's; another is the item's only once others have been answered in between.
  let resumes = 0;
  while (!(await stateIs(runId, 'complete')())) {
    await resumeRun(database.pool, { runId, actor: 'cli' });
    resumes++;
    await work(runId, classifier, async () =>
      ['complete', 'paused'].includes((await findRun(database.pool, runId))?.state ?? ''),
    );
  }
  expect(resumes).toBeLessThanOrEqual(3);
  expect(await reconcile(database.pool, runId)).toMatchObject({ closes: true });
  const failed = await database.pool.query(
    "SELECT content_id, failure_code FROM work_item WHERE run_id = $1 AND state = 'failed_review'",
    [runId],
  );
  expect(failed.rows).toEqual([{ content_id: 'poison', failure_code: 'config_error' }]);
});

test('a wrong set-up pauses the run however often it is resumed, and ends no item', async () => {
  const classifier = scriptedClassifier({ answer: () => ({ outcome: 'config_error', latencyMs: 1 }) });
  const runId = await room.start(rows('wrong', 40), { classifier });
  for (let resume = 0; resume < 4; resume++) {
    await work(runId, classifier, stateIs(runId, 'paused'));
    await resumeRun(database.pool, { runId, actor: 'cli' });
  }
  const ended = await database.pool.query(
    "SELECT count(*)::int FROM work_item WHERE run_id = $1 AND state <> 'pending'",
    [runId],
  );
  expect(ended.rows[0].count).toBe(0);
});

const WAIT_LONG = `UPDATE work_item SET next_attempt_at = clock_timestamp() + interval '1 hour'
  WHERE run_id = $1 AND state = 'pending' AND next_attempt_at IS NOT NULL`;

test('five upstream faults in a row pause a run, also where the lane let go in between while all items waited', async () => {
  const classifier = scriptedClassifier({ answer: () => ({ outcome: 'bad_upstream', latencyMs: 1 }) });
  const runId = await room.start(rows('upstream', 2), { classifier });
  let letGo = 0;
  let madeDue = 0;
  await workOn(database.pool, runId, {
    classifier,
    onEvent: (event) => {
      if (event === 'run_let_go') letGo++;
    },
    between: async () => {
      // Whatever waits, waits long enough for the lane to close.
      if (letGo === madeDue) return database.pool.query(WAIT_LONG, [runId]);
      madeDue = letGo;
      return makeDue(database.pool);
    },
    enough: async () => ['paused', 'complete'].includes((await findRun(database.pool, runId))?.state ?? ''),
  });
  expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: 'bad_upstream' });
  expect(madeDue).toBeGreaterThanOrEqual(1);
});

test('a bound that is raised while the run goes on is taken up, and the pace is shown and taken back', async () => {
  const held: Gate = gate();
  let most = 0;
  let now = 0;
  const classifier = scriptedClassifier({
    answer: async (call) => {
      most = Math.max(most, ++now);
      await held.opened;
      now--;
      return markedAnswer(call);
    },
  });
  const runId = await room.start(rows('raised', 300), { classifier });
  const seen: number[] = [];
  await work(runId, classifier, async () => {
    if (now === 8 && most === 8) await database.pool.query('UPDATE run SET concurrency = 12 WHERE id = $1', [runId]);
    if (now === 8) {
      const [pace] = await readPace(database.pool, runId);
      if (pace) seen.push(pace.atOnce);
      if (pace) held.open();
    }
    return stateIs(runId, 'complete')();
  });
  expect(most).toBeGreaterThan(8);
  expect(most).toBeLessThanOrEqual(12);
  expect(seen[0]).toBe(8);
  expect(await readPace(database.pool, runId)).toEqual([]);
});
