import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import { commitFlush } from './commit.db.ts';
import { markExported } from './exported.db.ts';
import type { DecisionDraft, ItemEnd } from './item-end.ts';
import { ITEM_STATES, ITEM_STEPS, type ItemState, type ItemStep, itemAfter } from './item-state.ts';
import { leaseBatch } from './lease.db.ts';
import { requeueRun } from './requeue.db.ts';
import { cancelRun } from './run-control.db.ts';
import { lockRun } from './runs.db.ts';
import { WORKER_A } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

/** A run of one item, and the fence of whoever holds it, or one that never held anything. */
type Placed = { readonly runId: string; readonly id: number; token: string };

const draft = (): DecisionDraft => ({
  textSha256: 'a'.repeat(64),
  inputSha256: 'b'.repeat(64),
  promptSha256: room.policy.promptSha256,
  contractVersion: room.policy.contractVersion,
  classifier: 'scripted',
  model: 'scripted-1',
  classification: { scores: {} },
  verdict: 'allow',
  because: [],
  segments: 1,
  normalised: [],
  instructed: false,
});
const end = ({ runId, id, token }: Placed, how: ItemEnd) =>
  commitFlush(database.pool, {
    runId,
    policy: room.policy,
    slot: 1,
    results: [{ id, token, attempt: null, end: how }],
  });

/** How each step is really taken. */
const STEPS: Record<ItemStep, (placed: Placed) => Promise<unknown>> = {
  lease: async (placed) => {
    const [item] = await leaseBatch(database.pool, { runId: placed.runId, workerId: WORKER_A });
    placed.token = item?.token ?? placed.token;
  },
  give_back: (placed) => end(placed, { kind: 'released' }),
  classify: (placed) =>
    end(placed, { kind: 'answer', draft: draft(), call: { latencyMs: 1, units: null, raw: null, weight: null } }),
  fail: (placed) => end(placed, { kind: 'failure', code: 'no_text', retryAfterMs: null, pauses: false, call: null }),
  close: ({ runId }) => cancelRun(database.pool, { runId, actor: 'cli' }),
  export: ({ runId }) =>
    transact<number, never>(database.pool, async (tx) => {
      await lockRun(tx, runId);
      return ok(await markExported(tx, runId));
    }),
  requeue: ({ runId }) => requeueRun(database.pool, { runId, code: 'no_text', actor: 'cli' }),
};
/** The way from admission to each state. */
const WAYS: Record<ItemState, readonly ItemStep[]> = {
  pending: [],
  leased: ['lease'],
  classified: ['lease', 'classify'],
  exported: ['lease', 'classify', 'export'],
  failed_review: ['lease', 'fail'],
};

let counter = 0;
async function place(state: ItemState): Promise<Placed> {
  const runId = await room.start([{ contentId: `moves-${++counter}` }]);
  const [item] = await room.see.items(runId);
  const placed = { runId, id: item?.id ?? 0, token: randomUUID() };
  for (const step of WAYS[state]) await STEPS[step](placed);
  return placed;
}
const stateOf = async ({ runId }: Placed) => (await room.see.items(runId))[0]?.state;

describe('what may follow what for a work item is what the statements do', () => {
  const cells = ITEM_STATES.flatMap((state) => ITEM_STEPS.map((step) => [state, step] as const));
  test.each(cells)('%s, %s', async (state, step) => {
    const placed = await place(state);
    expect(await stateOf(placed)).toBe(state);
    await STEPS[step](placed);
    expect(await stateOf(placed)).toBe(itemAfter(state, step) ?? state);
  });
});
