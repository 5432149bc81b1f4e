import { z } from 'zod';
import type { Pool, Queryable } from '../db/pool.db.ts';
import { WORKER_ALIVE_MS } from './limits.ts';
import { FORGET_PACE, READ_PACE, SAVE_PACE } from './pace.sql.ts';
import { PACE_REASONS, type PaceReason } from './pace.ts';

/** How many calls at once one worker allows itself for a run, and why. For screens only. */
export type WorkerPace = {
  readonly slot: number;
  readonly atOnce: number;
  readonly why: PaceReason;
  readonly at: Date;
};

const row = z
  .object({ slot: z.int(), at_once: z.int(), why: z.enum(PACE_REASONS), at: z.date() })
  .transform((one): WorkerPace => ({ slot: one.slot, atOnce: one.at_once, why: one.why, at: one.at }));

/** Says how a worker paces itself for a run. */
export async function savePace(
  pool: Pool,
  { runId, slot, atOnce, why }: Omit<WorkerPace, 'at'> & { readonly runId: string },
): Promise<void> {
  await pool.query(SAVE_PACE, [runId, slot, atOnce, why]);
}

/** Takes back what a worker said, when it lets go of the run. */
export async function forgetPace(pool: Pool, { runId, slot }: { runId: string; slot: number }): Promise<void> {
  await pool.query(FORGET_PACE, [runId, slot]);
}

/** @returns the pace of each worker that is alive and has the run in hand, by slot. */
export async function readPace(db: Queryable, runId: string): Promise<WorkerPace[]> {
  const { rows } = await db.query(READ_PACE, [runId, WORKER_ALIVE_MS]);
  return rows.map((one) => row.parse(one));
}
