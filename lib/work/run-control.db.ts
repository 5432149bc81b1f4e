import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { lockContent } from '../content/status.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { openCases } from '../review/cases.db.ts';
import { CANCEL_OPEN_ATTEMPTS, CANCEL_OPEN_ITEMS, HELD_UNSEEN, LOCK_OPEN_ITEMS } from './run-control.sql.ts';
import { type PauseReason, type RunState, type RunStep, runAfter } from './run-state.ts';
import { addToCounters, endIfDone, lockRun, OPERATOR_SLOT, type Run, setRunState } from './runs.db.ts';

export type RunRefusal = 'unknown_run' | 'wrong_state';
type By = { readonly runId: string; readonly actor: Actor };

/**
 * Act: lets nothing more of the run be leased or called; calls under way end and are committed.
 * @returns the state that follows, or `unknown_run`, or `wrong_state` with the state it is in.
 */
export function pauseRun(
  pool: Pool,
  { reason, ...by }: By & { readonly reason: PauseReason },
): Promise<Result<RunState, RunRefusal>> {
  return step(pool, by, 'pause', async (tx, run, next) => {
    await setRunState(tx, { runId: run.id, state: next, pauseReason: reason });
    await writeAudit(tx, { actor: by.actor, kind: 'run.paused', subject: `run:${run.id}`, data: { reason } });
    return next;
  });
}

/** Act: lets a paused run go on; one that has nothing left is complete at once. Refusals as `pauseRun`. */
export function resumeRun(pool: Pool, by: By): Promise<Result<RunState, RunRefusal>> {
  return step(pool, by, 'resume', async (tx, run, next) => {
    await setRunState(tx, { runId: run.id, state: next });
    await writeAudit(tx, {
      actor: by.actor,
      kind: 'run.resumed',
      subject: `run:${run.id}`,
      data: { paused_for: run.pauseReason },
    });
    return endIfDone(tx, { ...run, state: next });
  });
}

/**
 * Act: ends an unfinished run. Its open items become `cancelled` exceptions, born closed, so that it reconciles and
 * exports like any other; answers that are still to come meet a fence and are dropped. Only what is held and would be
 * seen by nobody gets a case. Refusals as `pauseRun`.
 */
export function cancelRun(pool: Pool, by: By): Promise<Result<RunState, RunRefusal>> {
  return step(pool, by, 'cancel', async (tx, run, next) => {
    await tx.query(LOCK_OPEN_ITEMS, [run.id]);
    await tx.query(CANCEL_OPEN_ATTEMPTS, [run.id]);
    const { rowCount } = await tx.query(CANCEL_OPEN_ITEMS, [run.id]);
    const count = rowCount ?? 0;
    if (run.mode !== 'record') await showHeld(tx, run);
    await setRunState(tx, { runId: run.id, state: next });
    await writeAudit(tx, { actor: by.actor, kind: 'run.cancelled', subject: `run:${run.id}`, data: { items: count } });
    await addToCounters(tx, { runId: run.id, slot: OPERATOR_SLOT, delta: { exceptions: count } });
    return next;
  });
}

type Unseen = { content_id: string; revision: string; decision_id: string; source: string; content_type: string };

/** A requeue closed the case of a held item; with its attempts cancelled, the item would be held for ever. */
async function showHeld(tx: Tx, run: Run): Promise<void> {
  const maybe = await tx.query<Unseen>(HELD_UNSEEN, [run.id]);
  await lockContent(
    tx,
    maybe.rows.map((row) => row.content_id),
  );
  const { rows } = await tx.query<Unseen>(HELD_UNSEEN, [run.id]);
  await openCases(
    tx,
    rows.map((row) => ({
      kind: 'exception',
      mode: run.mode,
      content: { contentId: row.content_id, source: row.source, contentType: row.content_type },
      revision: row.revision,
      decisionId: row.decision_id,
      policyVersion: run.policyVersion,
      runId: run.id,
      reasonCode: 'cancelled',
      label: null,
      score: null,
      openedBy: 'system',
    })),
  );
}

function step(
  pool: Pool,
  { runId }: By,
  name: RunStep,
  write: (tx: Tx, run: Run, next: RunState) => Promise<RunState>,
): Promise<Result<RunState, RunRefusal>> {
  return transact<RunState, RunRefusal>(pool, async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run) return refused('unknown_run');
    const next = runAfter(run.state, name);
    return next === null ? refused('wrong_state', { state: run.state }) : ok(await write(tx, run, next));
  });
}
