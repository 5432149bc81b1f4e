import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { changeStatuses, type LockedContent, lockContent, type StatusChange } from '../content/status.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { openCases } from '../review/cases.db.ts';
import { readBudget, setCeiling } from './budget.db.ts';
import { CANCEL_OPEN_ATTEMPTS, CANCEL_OPEN_ITEMS, LOCK_OPEN_ITEMS, UNSEEN } from './run-control.sql.ts';
import { isUnfinished, type PauseReason, type RunState, type RunStep, runAfter } from './run-state.ts';
import { addToCounters, endIfDone, lockRun, OPERATOR_SLOT, type Run, setRunState } from './runs.db.ts';
import { SET_CONCURRENCY } from './signals.sql.ts';
import { type EndedUnits, settleUnits } from './units.db.ts';

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
    return ok(next);
  });
}

/**
 * Act: lets a paused run go on; one that has nothing left is complete at once, one whose canary has ended waits.
 * @param ceilingUnits what it may use in all from now on; left out, its ceiling stays.
 * @returns the state that follows; refusals as `pauseRun`, and `at_ceiling` where it would stop again at once: it paused
 * at its ceiling and gets no higher one, or the new one is used up already.
 */
export function resumeRun(
  pool: Pool,
  { ceilingUnits, ...by }: By & { readonly ceilingUnits?: number | undefined },
): Promise<Result<RunState, RunRefusal | 'at_ceiling'>> {
  return step<'at_ceiling'>(pool, by, 'resume', async (tx, run, next) => {
    const { used } = await readBudget(tx, run.id);
    const reached = run.pauseReason === 'ceiling' ? (run.ceilingUnits ?? 0) : used;
    if (ceilingUnits === undefined ? run.pauseReason === 'ceiling' : ceilingUnits <= Math.max(used, reached)) {
      return refused('at_ceiling', { ceiling: run.ceilingUnits, used });
    }
    if (ceilingUnits !== undefined) await setCeiling(tx, { runId: run.id, units: ceilingUnits });
    await setRunState(tx, { runId: run.id, state: next });
    await writeAudit(tx, {
      actor: by.actor,
      kind: 'run.resumed',
      subject: `run:${run.id}`,
      data: { paused_for: run.pauseReason, ceiling_units: ceilingUnits ?? run.ceilingUnits },
    });
    return ok(await endIfDone(tx, { ...run, state: next }));
  });
}

/**
 * Act: sets how many calls at a time one worker may make for an unfinished run; workers take it up within a second.
 * @param concurrency within CONCURRENCY_BOUNDS.
 * @returns the bound that was; or `unknown_run`, `wrong_state` where the run has ended.
 */
export function setConcurrency(
  pool: Pool,
  { runId, concurrency, actor }: By & { readonly concurrency: number },
): Promise<Result<number, RunRefusal>> {
  return transact<number, RunRefusal>(pool, async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run) return refused('unknown_run');
    if (!isUnfinished(run.state)) return refused('wrong_state', { state: run.state });
    await tx.query(SET_CONCURRENCY, [runId, concurrency]);
    const data = { from: run.concurrency, to: concurrency };
    await writeAudit(tx, { actor, kind: 'run.concurrency_set', subject: `run:${runId}`, data });
    return ok(run.concurrency);
  });
}

/**
 * Act: ends an unfinished run. Its open items become `cancelled` exceptions, born closed, so that it reconciles and
 * exports like any other; answers that are still to come meet a fence and are dropped. Only what is held or not yet
 * public and would be seen by nobody gets a case. Refusals as `pauseRun`.
 */
export function cancelRun(pool: Pool, by: By): Promise<Result<RunState, RunRefusal>> {
  return step(pool, by, 'cancel', async (tx, run, next) => {
    await tx.query(LOCK_OPEN_ITEMS, [run.id]);
    const ended = await tx.query<EndedUnits>(CANCEL_OPEN_ATTEMPTS, [run.id]);
    const { rowCount } = await tx.query(CANCEL_OPEN_ITEMS, [run.id]);
    const count = rowCount ?? 0;
    if (run.mode !== 'record') await showUnseen(tx, run);
    await setRunState(tx, { runId: run.id, state: next });
    await writeAudit(tx, { actor: by.actor, kind: 'run.cancelled', subject: `run:${run.id}`, data: { items: count } });
    await addToCounters(tx, { runId: run.id, slot: OPERATOR_SLOT, delta: { exceptions: count } });
    await settleUnits(tx, run.id, ended.rows);
    return ok(next);
  });
}

type Unseen = {
  content_id: string;
  revision: string;
  decision_id: string;
  source: string;
  content_type: string;
  decided: boolean;
};

/**
 * Nobody would ever look at these again: what is pending is held, and each gets a case. A requeue had closed the case of
 * a held item, or the attempt that would have held a pending one is cancelled, or its decision never takes effect.
 */
async function showUnseen(tx: Tx, run: Run): Promise<void> {
  const maybe = await tx.query<Unseen>(UNSEEN, [run.id]);
  const content = await lockContent(
    tx,
    maybe.rows.map((row) => row.content_id),
  );
  const { rows } = await tx.query<Unseen>(UNSEEN, [run.id]);
  const unseen = rows.flatMap((row) => {
    const locked = content.get(row.content_id);
    return locked ? [{ row, locked }] : [];
  });
  await changeStatuses(
    tx,
    unseen.filter(({ locked }) => locked.status === 'pending').map(({ row, locked }) => holding(row, locked)),
  );
  await openCases(
    tx,
    unseen.map(({ row }) => ({
      kind: row.decided ? 'decision' : 'exception',
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

function holding(row: Unseen, content: LockedContent): StatusChange {
  return {
    content,
    next: { status: 'held', rank: 'policy', action: null },
    actor: 'system',
    reason: 'cancelled',
    answers: null,
    decisionId: row.decision_id,
    event: 'content.held',
  };
}

function step<R extends string = never>(
  pool: Pool,
  { runId }: By,
  name: RunStep,
  write: (tx: Tx, run: Run, next: RunState) => Promise<Result<RunState, R>>,
): Promise<Result<RunState, RunRefusal | R>> {
  return transact<RunState, RunRefusal | R>(pool, async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run) return refused('unknown_run');
    const next = runAfter(run.state, name);
    return next === null ? refused('wrong_state', { state: run.state }) : write(tx, run, next);
  });
}
