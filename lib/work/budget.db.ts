import type { Queryable, Tx } from '../db/pool.db.ts';
import { READ_BUDGET, SET_CEILING } from './budget.sql.ts';

/** Units of a run: used by attempts that have ended, reserved by those under way. */
export type Budget = { readonly used: number; readonly reserved: number };

/** Units that anybody may approve, as a ceiling or a cap. */
export const UNITS_BOUNDS = { min: 1, max: 1_000_000_000_000 } as const;

/** @returns what the run has used and set aside until now. */
export async function readBudget(db: Queryable, runId: string): Promise<Budget> {
  const { rows } = await db.query<Budget>(READ_BUDGET, [runId]);
  return rows[0] ?? { used: 0, reserved: 0 };
}

/** Step, under `lockRun`: writes what the run may use in all. */
export async function setCeiling(tx: Tx, { runId, units }: { runId: string; units: number }): Promise<void> {
  await tx.query(SET_CEILING, [runId, units]);
}
