import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call, CallResult, Classifier } from '../lib/classifier/answer.ts';
import { answerWith, gate, markedAnswer, scriptedClassifier } from '../lib/classifier/testing/scripted.ts';
import { installation } from '../lib/db/installation.db.ts';
import type { Pool } from '../lib/db/pool.db.ts';
import { openPool } from '../lib/db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';
import { BREAKER_PROBES_MAX, BREAKER_TRIP_COUNT } from '../lib/work/breaker.ts';
import { reconcile } from '../lib/work/reconcile.db.ts';
import { cancelRun, resumeRun } from '../lib/work/run-control.db.ts';
import type { RunState } from '../lib/work/run-state.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { makeDue, type SeedRow } from '../lib/work/testing/corpus.db.ts';
import { BROKEN_WORK } from '../lib/work/testing/invariants.sql.ts';
import { type Workroom, workroom } from '../lib/work/testing/workroom.db.ts';
import { aliveWorkers, registerWorker, stopWorker } from '../lib/work/workers.db.ts';
import { silentLog } from './log.ts';
import { startEngine } from './tasks/engine.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const some = (name: string, count: number, text = 'fine'): SeedRow[] =>
  Array.from({ length: count }, (_, at) => ({
    contentId: `${name}-${String(at).padStart(3, '0')}`,
    source: name,
    text,
  }));

/** Works with an engine until every run is in one of these states, or until the test says so. */
async function work(
  runIds: readonly string[],
  job: { classifier?: Classifier; until?: readonly RunState[]; pool?: Pool; enough?: () => boolean } = {},
): Promise<void> {
  const { classifier = room.classifier, until = ['complete', 'paused'], pool = database.pool } = job;
  const installed = await installation(database.pool, undefined);
  if (!installed.ok) throw new Error('no installation');
  const engine = await startEngine({
    pool,
    installation: installed.value,
    version: 'test',
    log: silentLog(),
    openClassifier: (name) => {
      if (name !== classifier.name) throw new Error('none of this name');
      return classifier;
    },
    sweeps: () => [],
    unservedMs: 0,
    coolFactor: 0.01,
    ...(runIds.length === 1 && { onlyRunId: runIds[0] }),
  });
  const stop = new AbortController();
  const working = engine.run(stop.signal);
  for (;;) {
    await makeDue(database.pool);
    const runs = await Promise.all(runIds.map((runId) => findRun(database.pool, runId)));
    if (runs.every((run) => run && until.includes(run.state))) break;
  }
  stop.abort();
  await working;
}

async function expectSound(runId: string): Promise<void> {
  expect((await reconcile(database.pool, runId)).differences).toEqual([]);
  for (const [promise, broken] of Object.entries(BROKEN_WORK)) {
    expect({ promise, rows: (await database.pool.query(broken)).rows }).toEqual({ promise, rows: [] });
  }
}

describe('a lane', () => {
  test('does a whole run, with never more calls at once than the run says', async () => {
    let at = 0;
    let most = 0;
    const classifier = scriptedClassifier({
      answer: async (call) => {
        most = Math.max(most, ++at);
        await new Promise((resolve) => setImmediate(resolve));
        at--;
        return markedAnswer(call);
      },
    });
    const runId = await room.start(some('whole', 450, 'spam=0.5'));
    await work([runId], { classifier });
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    expect(classifier.calls).toHaveLength(450);
    expect(most).toBe(8);
    await expectSound(runId);
  });

  test('calls nothing where there is no text, and records no attempt', async () => {
    const runId = await room.start([{ contentId: 'empty', source: 'empty', text: '' }]);
    const classifier = scriptedClassifier();
    await work([runId], { classifier });
    expect(classifier.calls).toEqual([]);
    expect((await room.see.items(runId))[0]).toMatchObject({
      state: 'failed_review',
      failure_code: 'no_text',
      attempt_count: 0,
    });
    await expectSound(runId);
  });

  test('calls nothing for what another run has answered since it was admitted', async () => {
    const rows = some('known', 12, 'spam=0.5');
    const [first, second] = [await room.start(rows), await room.start(rows)];
    await work([first]);
    const classifier = scriptedClassifier();
    await work([second], { classifier });
    expect(classifier.calls).toEqual([]);
    expect((await room.see.items(second)).every((item) => item.deduplicated && item.attempt_count === 0)).toBe(true);
    expect((await reconcile(database.pool, second)).differences).toEqual([]);
  });

  test('sends identical keys and bytes after a lost connection and a new key after an invalid answer', async () => {
    const answers: CallResult[] = [
      { outcome: 'outcome_unknown', latencyMs: 1 },
      { outcome: 'invalid_json', latencyMs: 1 },
    ];
    const classifier = scriptedClassifier({ answer: (call, nth) => answers[nth - 1] ?? markedAnswer(call) });
    const runId = await room.start(some('again', 1));
    await work([runId], { classifier });
    const [first, second, third] = classifier.calls;
    expect(second).toEqual(first);
    expect(third?.idempotencyKey).not.toBe(first?.idempotencyKey);
    expect([...(await room.see.lineage(runId))].map((row) => row.outcome)).toEqual([
      'outcome_unknown',
      'invalid_json',
      'ok',
    ]);
    await expectSound(runId);
  });

  test('a service that always says 429 without a time is left alone: few calls, the run pauses, each call has its row', async () => {
    const classifier = scriptedClassifier({ answer: () => ({ outcome: 'rate_limited', latencyMs: 1 }) });
    const runId = await room.start(some('limited', 40));
    await work([runId], { classifier });
    expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: 'bad_upstream' });
    expect(classifier.calls.length).toBeLessThanOrEqual(BREAKER_TRIP_COUNT + 8 + BREAKER_PROBES_MAX);
    const called = (await room.see.lineage(runId)).filter((one) => one.outcome !== 'released');
    expect(called).toHaveLength(classifier.calls.length);
    expect((await room.see.items(runId)).every((item) => item.state === 'pending')).toBe(true);
    await expectSound(runId);
  });

  test('a classifier that throws fails its item as an internal error, and nothing else', async () => {
    const classifier = scriptedClassifier({
      answer: (call) => {
        if (call.contentId === 'throws-003') throw new Error('a bug with canary-turnip in its words');
        return markedAnswer(call);
      },
    });
    const runId = await room.start(some('throws', 10));
    await work([runId], { classifier });
    const items = await room.see.items(runId);
    expect(items.filter((item) => item.state === 'classified')).toHaveLength(9);
    expect(items[3]).toMatchObject({ failure_code: 'internal_error', invalid_count: 2 });
    await expectSound(runId);
  });

  test('holds no connection while it waits for the classifier', async () => {
    const open = gate();
    const calling = gate();
    let calls = 0;
    const classifier = scriptedClassifier({
      answer: async (call) => {
        if (++calls === 8) calling.open();
        await open.opened;
        return markedAnswer(call);
      },
    });
    const small = openPool(database.url, { max: 2, applicationName: 'docket small' });
    const runId = await room.start(some('pool', 8));
    const working = work([runId], { classifier, pool: small });
    await calling.opened;
    const { rows } = await small.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'docket small' AND state = 'idle in transaction'",
    );
    expect(rows).toEqual([{ count: 0 }]);
    open.open();
    await working;
    await small.end();
    await expectSound(runId);
  });
});

describe('a run pauses', () => {
  const pausing = async (name: string, answer: (call: Call, nth: number) => CallResult) => {
    const classifier = scriptedClassifier({ answer });
    const runId = await room.start(some(name, 30));
    await work([runId], { classifier });
    return { runId, classifier };
  };

  test.each(['config_error', 'model_mismatch', 'quota_exhausted'] as const)(
    'on %s: nothing is spent, few are called',
    async (code) => {
      const { runId, classifier } = await pausing(code, () => ({ outcome: code, latencyMs: 1 }));
      expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: code });
      expect(classifier.calls.length).toBeLessThanOrEqual(8);
      expect((await room.see.items(runId)).every((item) => item.state === 'pending' && item.spent_count === 0)).toBe(
        true,
      );
      await expectSound(runId);
      await resumeRun(database.pool, { runId, actor: 'cli' });
      await work([runId]);
      expect((await findRun(database.pool, runId))?.state).toBe('complete');
      await expectSound(runId);
    },
  );

  test('on five upstream faults in a row, and not on four', async () => {
    const { runId } = await pausing('upstream', (call, nth) =>
      nth % 5 === 0 ? markedAnswer(call) : { outcome: 'bad_upstream', latencyMs: 1 },
    );
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    const five = await pausing('upstreams', () => ({ outcome: 'bad_upstream', latencyMs: 1 }));
    expect(await findRun(database.pool, five.runId)).toMatchObject({ state: 'paused', pauseReason: 'bad_upstream' });
    const spent = (await room.see.items(five.runId)).reduce((sum, item) => sum + item.spent_count, 0);
    expect(spent).toBe(4);
    await expectSound(five.runId);
  });

  test('not while another worker is alive, which may have the classifier that this one lacks', async () => {
    const runId = await room.start(some('elsewhere', 2), { classifier: { ...room.classifier, name: 'elsewhere' } });
    const installed = await installation(database.pool, undefined);
    if (!installed.ok) throw new Error('no installation');
    const other = await registerWorker(database.pool, { environment: installed.value.environment, version: 'test' });
    let looks = 0;
    const engine = await startEngine({
      pool: database.pool,
      installation: installed.value,
      version: 'test',
      log: silentLog(),
      openClassifier: () => {
        looks++;
        throw new Error('none of this name');
      },
      sweeps: () => [],
      unservedMs: 0,
      onlyRunId: runId,
    });
    const stop = new AbortController();
    const working = engine.run(stop.signal);
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(2);
    stop.abort();
    await working;
    expect((await findRun(database.pool, runId))?.state).toBe('running');
    await stopWorker(database.pool, other.id);
    await work([runId], { classifier: { ...room.classifier, name: 'elsewhere' } });
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
  });

  test('where nobody has its classifier, instead of waiting in silence', async () => {
    const runId = await room.start(some('unserved', 2), { classifier: { ...room.classifier, name: 'elsewhere' } });
    await work([runId]);
    expect(await findRun(database.pool, runId)).toMatchObject({ state: 'paused', pauseReason: 'config_error' });
  });
});

describe('several runs', () => {
  test('one that waits for its answers does not keep another waiting', async () => {
    const stuck = gate();
    const classifier = scriptedClassifier({
      answer: async (call) => {
        if (call.contentId.startsWith('slow')) await stuck.opened;
        return answerWith(call, {});
      },
    });
    const slow = await room.start(some('slow', 20));
    const quick = await room.start(some('quick', 20));
    const working = work([slow, quick], { classifier });
    while ((await findRun(database.pool, quick))?.state !== 'complete')
      await new Promise((resolve) => setImmediate(resolve));
    expect((await findRun(database.pool, slow))?.state).toBe('running');
    stuck.open();
    await working;
    await expectSound(slow);
  });

  test('two workers share one run and complete it once', async () => {
    const runId = await room.start(some('shared', 400));
    await Promise.all([work([runId]), work([runId])]);
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    const { rows } = await database.pool.query(
      "SELECT count(*)::int AS count FROM audit_event WHERE kind = 'run.completed' AND subject = $1",
      [`run:${runId}`],
    );
    expect(rows).toEqual([{ count: 1 }]);
    await expectSound(runId);
  });
});

test('a worker made for one run works on it, however many older runs have work', async () => {
  const older: string[] = [];
  for (let at = 0; at < 17; at++) older.push(await room.start(some(`older-${at}`, 1)));
  const runId = await room.start(some('wanted', 1));
  await work([runId]);
  expect((await findRun(database.pool, runId))?.state).toBe('complete');
  const states = await Promise.all(older.map((id) => findRun(database.pool, id)));
  expect(states.every((run) => run?.state === 'running')).toBe(true);
  for (const id of older) await cancelRun(database.pool, { runId: id, actor: 'cli' });
});

test('a worker is alive while it runs, in a slot of its own, and signs off', async () => {
  expect(await aliveWorkers(database.pool)).toEqual([]);
  const runId = await room.start(some('alive', 1));
  let seen: number[] = [];
  const open = gate();
  const classifier = scriptedClassifier({
    answer: async (call) => {
      await open.opened;
      return markedAnswer(call);
    },
  });
  const working = [work([runId], { classifier }), work([runId], { classifier })];
  while (seen.length < 2) seen = (await aliveWorkers(database.pool)).map((worker) => worker.slot);
  expect(seen).toEqual([1, 2]);
  open.open();
  await Promise.all(working);
  expect(await aliveWorkers(database.pool)).toEqual([]);
});
