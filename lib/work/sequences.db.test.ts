import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '../classifier/failure.ts';
import { answerWith, scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { BROKEN } from '../review/testing/invariants.sql.ts';
import { startAttempts } from './attempts.db.ts';
import { commitFlush } from './commit.db.ts';
import type { HeldItem, ItemResult } from './item-end.ts';
import { leaseBatch } from './lease.db.ts';
import { reconcile } from './reconcile.db.ts';
import { requeueRun } from './requeue.db.ts';
import { cancelRun, pauseRun, resumeRun } from './run-control.db.ts';
import { runProgress, runSummary } from './run-summary.db.ts';
import { findRun } from './runs.db.ts';
import { sweepLeases } from './sweep.db.ts';
import { expireLeases, makeDue } from './testing/corpus.db.ts';
import { callAll, WORKER_A } from './testing/drive.db.ts';
import { BROKEN_WORK } from './testing/invariants.sql.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
let count = 0;

beforeAll(async () => {
  database = await testDatabase({ pipeline: true });
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const CODES = (Object.keys(FAILURES) as FailureCode[]).filter((code) => code !== 'lease_lost' && code !== 'no_text');

/** One act of the world around a run. Batches lie in the order they were leased; `which` picks one. */
type Act =
  | { readonly do: 'lease'; readonly limit: number }
  | { readonly do: 'start' | 'answer' | 'release'; readonly which: number }
  | { readonly do: 'fail'; readonly which: number; readonly code: FailureCode }
  | { readonly do: 'expire' | 'sweep' | 'due' | 'pause' | 'resume' | 'requeue' | 'cancel' };

const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('lease' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('start' as const, 'answer' as const, 'release' as const),
      which: fc.nat(5),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('fail' as const), which: fc.nat(5), code: fc.constantFrom(...CODES) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'expire' as const,
        'sweep' as const,
        'due' as const,
        'pause' as const,
        'resume' as const,
        'requeue' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);

/** What one process holds: it remembers batches long after they were taken away, as a slow worker does. */
class World {
  readonly runId: string;
  readonly #batches: { items: HeldItem[]; attempts: Map<number, number> }[] = [];

  constructor(runId: string) {
    this.runId = runId;
  }

  async act(act: Act): Promise<void> {
    const { pool } = database;
    const by = { runId: this.runId, actor: 'cli' } as const;
    switch (act.do) {
      case 'lease':
        this.#batches.push({
          items: await leaseBatch(pool, { ...by, workerId: WORKER_A, limit: act.limit }),
          attempts: new Map(),
        });
        return;
      case 'start':
        return this.#start(act.which);
      case 'answer':
        return this.#end(act.which, null);
      case 'fail':
        return this.#end(act.which, act.code);
      case 'release':
        return this.#release(act.which);
      case 'expire':
        return expireLeases(pool);
      case 'sweep':
        await sweepLeases(pool, { slot: 2 });
        return;
      case 'due':
        return makeDue(pool);
      case 'pause':
        await pauseRun(pool, { ...by, reason: 'operator' });
        return;
      case 'resume':
        await resumeRun(pool, by);
        return;
      case 'cancel':
        await cancelRun(pool, by);
        return;
      case 'requeue':
        for (const code of CODES) await requeueRun(pool, { ...by, code });
    }
  }

  get batchCount(): number {
    return this.#batches.length;
  }

  #batch(which: number) {
    return this.#batches.length === 0 ? undefined : this.#batches[which % this.#batches.length];
  }

  async #start(which: number): Promise<void> {
    const batch = this.#batch(which);
    const fresh = batch?.items.filter((item) => !batch.attempts.has(item.id)) ?? [];
    const { attempts } = await startAttempts(database.pool, { runId: this.runId, items: fresh });
    for (const [id, number] of attempts) batch?.attempts.set(id, number);
  }

  async #end(which: number, code: FailureCode | null): Promise<void> {
    const batch = this.#batch(which);
    if (!batch) return;
    const classifier = scriptedClassifier({
      answer: (call) =>
        code === null ? answerWith(call, { spam: 0.5 }) : { outcome: code, latencyMs: 1, retryAfterMs: 5_000 },
    });
    const job = { runId: this.runId, policy: room.policy, classifier };
    await this.#commit(await callAll(database.pool, job, batch.items, batch.attempts));
  }

  async #release(which: number): Promise<void> {
    const batch = this.#batch(which);
    await this.#commit(
      (batch?.items ?? []).map(({ id, token }) => ({
        id,
        token,
        attempt: batch?.attempts.get(id) ?? null,
        end: { kind: 'released' },
      })),
    );
  }

  async #commit(results: ItemResult[]): Promise<void> {
    if (results.length > 0)
      await commitFlush(database.pool, { runId: this.runId, policy: room.policy, slot: 1, results });
  }
}

async function expectSound(runId: string): Promise<void> {
  expect((await reconcile(database.pool, runId)).differences).toEqual([]);
  for (const [promise, broken] of Object.entries(BROKEN_WORK)) {
    expect({ promise, rows: (await database.pool.query(broken)).rows }).toEqual({ promise, rows: [] });
  }
}

test('no sequence of leases, answers, failures, expiries, requeues, pauses and cancels opens a gap in the books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 40 }), async (acts) => {
      const mark = `q${++count}`;
      const rows = Array.from({ length: 5 }, (_, at) => ({
        contentId: `${mark}-${at}`,
        source: at % 2 === 0 ? 'live' : 'back',
        sourceKind: at % 2 === 0 ? ('live' as const) : ('backfill' as const),
      }));
      const world = new World(await room.start(rows, { mode: 'hold' }));
      for (const act of acts) {
        await world.act(act);
        await expectSound(world.runId);
      }
      await finish(world);
      await expectSound(world.runId);
      await expectCounted(world.runId);
      for (const [promise, broken] of Object.entries(BROKEN)) {
        expect({ promise, rows: (await database.pool.query(broken)).rows }).toEqual({ promise, rows: [] });
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

/** However it was left, a run comes to its end. */
async function finish(world: World): Promise<void> {
  await world.act({ do: 'resume' });
  for (let turn = 0; turn < 30; turn++) {
    const state = (await findRun(database.pool, world.runId))?.state;
    if (state === 'complete' || state === 'cancelled') return;
    await world.act({ do: 'expire' });
    await world.act({ do: 'sweep' });
    await world.act({ do: 'due' });
    await world.act({ do: 'lease', limit: 100 });
    const last = world.batchCount - 1;
    await world.act({ do: 'start', which: last });
    await world.act({ do: 'answer', which: last });
  }
  expect.unreachable('the run never ended');
}

/** The counters of the screens agree with the rows once all is done. */
async function expectCounted(runId: string): Promise<void> {
  const run = await findRun(database.pool, runId);
  const summary = await runSummary(database.pool, runId);
  if (!run || !summary) throw new Error('no run');
  const { decisions, deduplicated, exceptions, units } = summary;
  expect(await runProgress(database.pool, run)).toMatchObject({ decisions, deduplicated, exceptions, units });
}
