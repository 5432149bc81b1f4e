import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { PAUSE_REASONS } from '../work/run-state.ts';
import { type AliveWorker, aliveWorkers } from '../work/workers.db.ts';
import { NOW, UNFINISHED_RUNS } from './operations.sql.ts';
import { type QueueAges, queueAges } from './queue-age.db.ts';

/** A run that is not at its end. */
export type OpenRun = {
  readonly id: string;
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'paused';
  readonly pauseReason: (typeof PAUSE_REASONS)[number] | null;
  /** True where it waits on purpose for its time. */
  readonly scheduled: boolean;
  readonly notBefore: Date | null;
  readonly pending: number;
  readonly leased: number;
  /** Since when the oldest item that is still open has waited. */
  readonly oldestAt: Date | null;
};

/** Everything the operations page shows, measured from the database, so that a worker that is silent shows as silent. */
export type Operations = {
  readonly countedAt: Date;
  readonly workers: readonly AliveWorker[];
  readonly runs: readonly OpenRun[];
  readonly queues: readonly QueueAges[];
};

const runRow = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['waiting', 'running', 'paused']),
    pause_reason: z.enum(PAUSE_REASONS).nullable(),
    not_before: z.date().nullable(),
    scheduled: z.boolean().nullable(),
    pending: z.int(),
    leased: z.int(),
    oldest_at: z.date().nullable(),
  })
  .transform(
    (row): OpenRun => ({
      id: row.id,
      name: row.name,
      state: row.state,
      pauseReason: row.pause_reason,
      scheduled: row.scheduled ?? false,
      notBefore: row.not_before,
      pending: row.pending,
      leased: row.leased,
      oldestAt: row.oldest_at,
    }),
  );

/** @returns workers, unfinished runs and the age of every queue as the database knows them now. */
export async function operations(db: Queryable): Promise<Operations> {
  const { rows } = await db.query<{ now: Date }>(NOW);
  if (!rows[0]) throw new Error('the database told no time');
  const runs = await db.query(UNFINISHED_RUNS);
  return {
    countedAt: rows[0].now,
    workers: await aliveWorkers(db),
    runs: runs.rows.map((row) => runRow.parse(row)),
    queues: await queueAges(db),
  };
}
