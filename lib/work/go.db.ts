import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { readBudget, setCeiling } from './budget.db.ts';
import { CLOSE_CANARY } from './canary.sql.ts';
import { projectRun } from './project.db.ts';
import type { Projection } from './project.ts';
import { type RunState, runAfter } from './run-state.ts';
import { endIfDone, lockRun, type Run, setRunState } from './runs.db.ts';

export type GoRefusal = 'unknown_run' | 'wrong_state' | 'ceiling_below_projection' | 'at_ceiling';

export type Go = {
  readonly runId: string;
  readonly actor: Actor;
  /** Units the run may use in all; left out, the ceiling it was started with stands. */
  readonly ceilingUnits?: number | undefined;
  /** The ceiling is meant, though the run will probably pause at it. */
  readonly acceptPause?: boolean | undefined;
};

/**
 * Act: gives the go for all that a canary stood for. The projection it was given on is kept with it as evidence; the
 * effects of the canary's decisions follow, checked again (`applyWithheld`).
 * @returns the state that follows; or `unknown_run`, `wrong_state`, `ceiling_below_projection` with the interval where
 * the ceiling lies under its upper end, `at_ceiling` where the ceiling is used up already.
 */
export function goRun(pool: Pool, go: Go): Promise<Result<RunState, GoRefusal>> {
  return transact<RunState, GoRefusal>(pool, async (tx) => {
    const run = await lockRun(tx, go.runId);
    if (!run) return refused('unknown_run');
    const next = runAfter(run.state, 'go');
    if (next === null) return refused('wrong_state', { state: run.state });
    const projection = await projectRun(tx, run);
    const ceiling = go.ceilingUnits ?? run.ceilingUnits;
    const { used } = await readBudget(tx, run.id);
    if (ceiling !== null && ceiling <= used) return refused('at_ceiling', { ceiling, used });
    if (ceiling !== null && projection && ceiling < projection.high && !go.acceptPause) {
      const { low, high, units } = projection;
      return refused('ceiling_below_projection', { ceiling, low, units, high });
    }
    return ok(await give(tx, { run, next, actor: go.actor, projection, ceiling }));
  });
}

async function give(
  tx: Tx,
  job: { run: Run; next: RunState; actor: Actor; projection: Projection | null; ceiling: number | null },
): Promise<RunState> {
  const { run, next, actor, projection, ceiling } = job;
  await tx.query(CLOSE_CANARY, [run.id]);
  if (ceiling !== null && ceiling !== run.ceilingUnits) await setCeiling(tx, { runId: run.id, units: ceiling });
  await setRunState(tx, { runId: run.id, state: next });
  await writeAudit(tx, {
    actor,
    kind: 'run.go',
    subject: `run:${run.id}`,
    data: { ceiling_units: ceiling, projection: projection && projectionJson(projection) },
  });
  return endIfDone(tx, { id: run.id, state: next, canaryOpen: false });
}

/** @returns a projection in the names of the contract. */
export function projectionJson(projection: Projection): ProjectionJson {
  return {
    units: projection.units,
    low: projection.low,
    high: projection.high,
    measured: projection.measuredCount,
    items: projection.itemCount,
    overhead_share: projection.overheadShare,
  };
}

export type ProjectionJson = {
  readonly units: number;
  readonly low: number;
  readonly high: number;
  readonly measured: number;
  readonly items: number;
  readonly overhead_share: number | null;
};
