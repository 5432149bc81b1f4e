import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { closeCases } from '../review/cases.db.ts';
import { isBornClosed } from './item-state.ts';
import { IN_HANDS, LOCK_CASES, LOCK_FAILED, REQUEUE_ITEMS, REVIEWED } from './requeue.sql.ts';
import { runAfter } from './run-state.ts';
import { addToCounters, lockRun, OPERATOR_SLOT, type Run, setRunState } from './runs.db.ts';

export type RequeueRefusal = 'unknown_run' | 'wrong_state' | 'not_requeueable';

export type Requeued = {
  /** Items that are pending again. */
  readonly requeued: number;
  /** Items that a person has claimed or submitted just now. */
  readonly inHands: number;
  /** Items that a person has reviewed: their answer stands. */
  readonly reviewed: number;
};

/**
 * Act: gives the exceptions of one code fresh attempts. Each item's case closes as `requeued`; an item whose case is in
 * somebody's hands, or that was reviewed, stays as it is and is counted. A complete run runs again.
 * @returns the counts; or `unknown_run`, `wrong_state` (a cancelled run), `not_requeueable` (the code says that nothing
 * is left to classify).
 */
export function requeueRun(
  pool: Pool,
  { runId, code, actor }: { readonly runId: string; readonly code: string; readonly actor: Actor },
): Promise<Result<Requeued, RequeueRefusal>> {
  return transact<Requeued, RequeueRefusal>(pool, async (tx) => {
    if (isBornClosed(code)) return refused('not_requeueable');
    const run = await lockRun(tx, runId);
    if (!run) return refused('unknown_run');
    if (runAfter(run.state, 'requeue') === null) return refused('wrong_state', { state: run.state });
    const { rows } = await tx.query<{ id: number; decision_id: string }>(LOCK_FAILED, [runId, code]);
    const keys = rows.map((row) => row.decision_id);
    await tx.query(LOCK_CASES, [keys]);
    const inHands = await keysOf(tx, IN_HANDS, keys);
    const reviewed = await keysOf(tx, REVIEWED, keys);
    const free = rows.filter((row) => !inHands.has(row.decision_id) && !reviewed.has(row.decision_id));
    const counts = {
      requeued: free.length,
      inHands: rows.filter((row) => inHands.has(row.decision_id)).length,
      reviewed: rows.filter((row) => reviewed.has(row.decision_id) && !inHands.has(row.decision_id)).length,
    };
    if (free.length > 0) await sendBack(tx, { run, code, actor, items: free, counts });
    return ok(counts);
  });
}

async function sendBack(
  tx: Tx,
  job: {
    run: Run;
    code: string;
    actor: Actor;
    items: readonly { readonly id: number; readonly decision_id: string }[];
    counts: Requeued;
  },
): Promise<void> {
  const { run, code, actor, items, counts } = job;
  const { rowCount } = await tx.query(REQUEUE_ITEMS, [items.map((item) => item.id)]);
  if (rowCount !== items.length) throw new Error('an item moved under its lock');
  await closeCases(tx, { decisionIds: items.map((item) => item.decision_id), closedAs: 'requeued', actor });
  const next = runAfter(run.state, 'requeue');
  if (next !== null && next !== run.state) await setRunState(tx, { runId: run.id, state: next });
  await writeAudit(tx, {
    actor,
    kind: 'run.requeued',
    subject: `run:${run.id}`,
    data: { code, requeued: counts.requeued, in_hands: counts.inHands, reviewed: counts.reviewed },
  });
  await addToCounters(tx, { runId: run.id, slot: OPERATOR_SLOT, delta: { exceptions: -items.length } });
}

async function keysOf(db: Queryable, statement: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await db.query<{ decision_id: string }>(statement, [keys]);
  return new Set(rows.map((row) => row.decision_id));
}
