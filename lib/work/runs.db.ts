import { writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import { looksLikeId } from '../kernel/uuid.ts';
import type { PauseReason, RunMode, RunState } from './run-state.ts';
import {
  ADD_TO_COUNTERS,
  FIND_RUN_BY_ID,
  FIND_RUN_BY_NAME,
  LOCK_RUN,
  RUN_HAS_OPEN_ITEMS,
  RUNS_TO_COMPLETE,
  RUNS_WITH_WORK,
  SET_RUN_STATE,
  SHARE_RUN,
} from './runs.sql.ts';

/** One snapshot classified under one policy version. */
export type Run = {
  readonly id: string;
  readonly name: string;
  readonly snapshotId: string;
  readonly policyVersion: string;
  readonly mode: RunMode;
  readonly state: RunState;
  readonly pauseReason: PauseReason | null;
  /** The name of the classifier that does the work. */
  readonly classifier: string;
  /** Calls at a time in one worker. */
  readonly concurrency: number;
  readonly notBefore: Date | null;
  /** Units it may use; null where nobody set a ceiling. */
  readonly ceilingUnits: number | null;
  /** Items of its canary; null where it has none. */
  readonly canaryCount: number | null;
  /** Only the canary may be called, and its decisions have no effects yet: the go is still to be given. */
  readonly canaryOpen: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

type RunRow = {
  id: string;
  name: string;
  snapshot_id: string;
  policy_version: string;
  mode: RunMode;
  state: RunState;
  pause_reason: PauseReason | null;
  classifier: string;
  concurrency: number;
  not_before: Date | null;
  ceiling_units: number | null;
  canary_count: number | null;
  canary_open: boolean;
  created_by: string;
  created_at: Date;
  ended_at: Date | null;
};

function toRun(row: RunRow): Run {
  return {
    id: row.id,
    name: row.name,
    snapshotId: row.snapshot_id,
    policyVersion: row.policy_version,
    mode: row.mode,
    state: row.state,
    pauseReason: row.pause_reason,
    classifier: row.classifier,
    concurrency: row.concurrency,
    notBefore: row.not_before,
    ceilingUnits: row.ceiling_units,
    canaryCount: row.canary_count,
    canaryOpen: row.canary_open,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

/** @returns the run of that id or name, or null. */
export async function findRun(db: Queryable, nameOrId: string): Promise<Run | null> {
  const { rows } = await db.query<RunRow>(looksLikeId(nameOrId) ? FIND_RUN_BY_ID : FIND_RUN_BY_NAME, [nameOrId]);
  return rows[0] ? toRun(rows[0]) : null;
}

/**
 * @param onlyRunId asks about this run alone, however many older ones have work.
 * @returns runs that have an item to lease now, oldest first.
 */
export async function runsWithWork(db: Queryable, limit: number, onlyRunId: string | null = null): Promise<Run[]> {
  const { rows } = await db.query<RunRow>(RUNS_WITH_WORK, [limit, onlyRunId]);
  return rows.map(toRun);
}

/** Step: takes the run's row for itself, waiting for every flush that shares it. Runs are locked before work items. */
export async function lockRun(tx: Tx, runId: string): Promise<Run | null> {
  const { rows } = await tx.query<RunRow>(LOCK_RUN, [runId]);
  return rows[0] ? toRun(rows[0]) : null;
}

/** Step: shares the run's row until the transaction ends, so that nobody cancels or requeues meanwhile. */
export async function shareRun(tx: Tx, runId: string): Promise<Run> {
  const { rows } = await tx.query<RunRow>(SHARE_RUN, [runId]);
  if (!rows[0]) throw new Error('the run of an item is missing');
  return toRun(rows[0]);
}

/** Step: writes a state that `runAfter` allows, under `lockRun`. */
export async function setRunState(
  tx: Tx,
  { runId, state, pauseReason = null }: { runId: string; state: RunState; pauseReason?: PauseReason | null },
): Promise<void> {
  await tx.query(SET_RUN_STATE, [runId, state, pauseReason]);
}

/** @returns whether anything of the run is pending or leased; while its canary is open, of the canary. */
export async function hasOpenItems(db: Queryable, runId: string): Promise<boolean> {
  const { rows } = await db.query<{ open: boolean }>(RUN_HAS_OPEN_ITEMS, [runId]);
  return rows[0]?.open !== false;
}

/**
 * Step, under `lockRun`: a running run with nothing pending or leased is complete; one whose canary has ended waits for
 * the go.
 * @returns the state it is in now.
 */
export async function endIfDone(tx: Tx, run: Pick<Run, 'id' | 'state' | 'canaryOpen'>): Promise<RunState> {
  if (run.state !== 'running' || (await hasOpenItems(tx, run.id))) return run.state;
  const [state, kind] = run.canaryOpen
    ? (['waiting', 'run.canary_ended'] as const)
    : (['complete', 'run.completed'] as const);
  await setRunState(tx, { runId: run.id, state });
  await writeAudit(tx, { actor: 'system', kind, subject: `run:${run.id}`, data: {} });
  return state;
}

/**
 * Act: completes a run that has nothing left, or lets it wait where its canary has ended. Whoever settles the last item calls it after its commit: taking the row
 * waits for every flush under way, so of several workers that end together the last one always sees the whole.
 * @returns whether it completed now.
 */
export async function completeRun(pool: Pool, runId: string): Promise<boolean> {
  const done = await transact(pool, async (tx) => {
    const run = await lockRun(tx, runId);
    return ok(run?.state === 'running' && (await endIfDone(tx, run)) === 'complete');
  });
  return done.ok && done.value;
}

/** Sweep: completes runs whose last worker died between its last commit and completing. @returns how many. */
export async function completeFinishedRuns(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(RUNS_TO_COMPLETE);
  let completed = 0;
  for (const { id } of rows) if (await completeRun(pool, id)) completed++;
  return completed;
}

/** What a transaction adds to the counters that screens show; reconciliation always recounts. */
export type CounterDelta = {
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  readonly attempts: number;
  readonly units: number;
  readonly answerDiffers: number;
};

/** The slot of acts that no worker does: requeue, cancel, admission. */
export const OPERATOR_SLOT = 0;

/** Step, the last of its transaction: adds to the counters of one run in one worker's slot. */
export async function addToCounters(
  tx: Tx,
  { runId, slot, delta }: { runId: string; slot: number; delta: Partial<CounterDelta> },
): Promise<void> {
  await tx.query(ADD_TO_COUNTERS, [
    runId,
    slot,
    delta.decisions ?? 0,
    delta.deduplicated ?? 0,
    delta.exceptions ?? 0,
    delta.attempts ?? 0,
    delta.units ?? 0,
    delta.answerDiffers ?? 0,
  ]);
}
