import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { leaseBatch } from './lease.db.ts';
import { cancelRun, pauseRun, resumeRun } from './run-control.db.ts';
import { runSummary } from './run-summary.db.ts';
import { completeFinishedRuns, completeRun, findRun } from './runs.db.ts';
import { round, WORKER_A } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const by = (runId: string) => ({ runId, actor: 'cli' }) as const;
const pause = (runId: string) => pauseRun(database.pool, { ...by(runId), reason: 'operator' });
const state = async (runId: string) => (await findRun(database.pool, runId))?.state;

test('a run pauses with its reason and goes on; each is audited', async () => {
  const runId = await room.start([{ contentId: 'p' }]);
  expect(await pauseRun(database.pool, { runId, actor: 'system', reason: 'quota_exhausted' })).toMatchObject({
    ok: true,
  });
  expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: 'quota_exhausted' });
  expect(await resumeRun(database.pool, by(runId))).toMatchObject({ ok: true, value: 'running' });
  const { rows } = await database.pool.query(
    'SELECT kind, actor, data FROM audit_event WHERE subject = $1 ORDER BY id',
    [`run:${runId}`],
  );
  expect(rows).toMatchObject([
    { kind: 'run.started' },
    { kind: 'run.paused', actor: 'system', data: { reason: 'quota_exhausted' } },
    { kind: 'run.resumed', actor: 'cli', data: { paused_for: 'quota_exhausted' } },
  ]);
});

test('what is under way in a paused run is committed, and resuming one that has nothing left completes it', async () => {
  const runId = await room.start([{ contentId: 'q' }]);
  await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
  await database.pool.query(
    "UPDATE run SET state = 'paused', pause_reason = 'operator', ended_at = NULL WHERE id = $1",
    [runId],
  );
  expect(await completeRun(database.pool, runId)).toBe(false);
  expect(await resumeRun(database.pool, by(runId))).toMatchObject({ value: 'complete' });
});

test('acts that the state does not allow are refused with the state', async () => {
  const runId = await room.start([{ contentId: 'r' }]);
  expect(await resumeRun(database.pool, by(runId))).toMatchObject({
    refusal: 'wrong_state',
    detail: { state: 'running' },
  });
  await cancelRun(database.pool, by(runId));
  for (const act of [pause(runId), resumeRun(database.pool, by(runId)), cancelRun(database.pool, by(runId))]) {
    expect(await act).toMatchObject({ refusal: 'wrong_state', detail: { state: 'cancelled' } });
  }
  expect(await pause('11111111-1111-4111-8111-111111111111')).toMatchObject({ refusal: 'unknown_run' });
});

test('a run is not complete while an item is leased', async () => {
  const runId = await room.start([{ contentId: 's' }]);
  await leaseBatch(database.pool, { runId, workerId: WORKER_A });
  expect(await completeRun(database.pool, runId)).toBe(false);
  expect(await state(runId)).toBe('running');
});

test('a run whose last worker died between its last commit and completing is completed by the sweep', async () => {
  const runId = await room.start([{ contentId: 't' }]);
  await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
  await database.pool.query("UPDATE run SET state = 'running', ended_at = NULL WHERE id = $1", [runId]);
  expect(await completeFinishedRuns(database.pool)).toBe(1);
  expect(await state(runId)).toBe('complete');
  expect(await completeFinishedRuns(database.pool)).toBe(0);
});

test('the summary of a cancelled run adds up', async () => {
  const runId = await room.start([{ contentId: 'u' }, { contentId: 'v', source: 'elsewhere' }]);
  await round(database.pool, { runId, policy: room.policy, classifier: room.classifier }, 1);
  await cancelRun(database.pool, by(runId));
  expect(await runSummary(database.pool, runId)).toMatchObject({
    state: 'cancelled',
    revisions: 2,
    decisions: 1,
    exceptions: 1,
    pending: 0,
    attempts: 1,
    units: 10,
    exceptions_by_code: [{ code: 'cancelled', count: 1 }],
    by: [
      { source: 'elsewhere', revisions: 1, exceptions: 1 },
      { source: 'forum', revisions: 1, decisions: 1, allow: 1 },
    ].sort((a, b) => (a.source < b.source ? -1 : 1)),
  });
});
