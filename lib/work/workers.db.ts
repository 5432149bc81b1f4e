import { randomUUID } from 'node:crypto';
import type { Pool, Queryable } from '../db/pool.db.ts';
import { WORKER_ALIVE_MS, WORKER_GONE_MS } from './limits.ts';
import { ALIVE_WORKERS, BEAT, REGISTER_WORKER, STOP_SILENT_WORKERS, STOP_WORKER } from './workers.sql.ts';

/** A worker process as it signs its leases and counters. */
export type Worker = { readonly id: string; readonly slot: number };

/** Times that workers which start together may take each other's slot before something else must be wrong. */
const REGISTER_TRIES = 50;

/**
 * Registers this process as a worker in the lowest free slot; slots of workers long silent are freed first.
 * @param environment of the installation, already checked to be ours.
 * @param version of the program.
 */
export async function registerWorker(
  pool: Pool,
  { environment, version }: { readonly environment: string; readonly version: string },
): Promise<Worker> {
  await pool.query(STOP_SILENT_WORKERS, [WORKER_GONE_MS]);
  const id = randomUUID();
  for (let tries = 0; tries < REGISTER_TRIES; tries++) {
    const { rows } = await pool.query<{ slot: number }>(REGISTER_WORKER, [id, environment, version]);
    if (rows[0]) return { id, slot: rows[0].slot };
  }
  throw new Error('no slot for a worker');
}

/** Signs the worker's life. @returns false where it was silent so long that its slot is gone: it registers anew. */
export async function beat(pool: Pool, workerId: string): Promise<boolean> {
  const { rowCount } = await pool.query(BEAT, [workerId]);
  return rowCount === 1;
}

/** Says that the worker has ended in order. */
export async function stopWorker(pool: Pool, workerId: string): Promise<void> {
  await pool.query(STOP_WORKER, [workerId]);
}

export type AliveWorker = Worker & { readonly version: string; readonly startedAt: Date; readonly lastSeenAt: Date };

/** @returns the workers seen within WORKER_ALIVE_MS by the database's clock. */
export async function aliveWorkers(db: Queryable): Promise<AliveWorker[]> {
  const { rows } = await db.query<{ id: string; slot: number; version: string; started_at: Date; last_seen_at: Date }>(
    ALIVE_WORKERS,
    [WORKER_ALIVE_MS],
  );
  return rows.map((row) => ({
    id: row.id,
    slot: row.slot,
    version: row.version,
    startedAt: row.started_at,
    lastSeenAt: row.last_seen_at,
  }));
}
