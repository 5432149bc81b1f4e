import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../../../lib/db/pool.db.ts';
import type { Aftermath } from './barriers.ts';
import {
  AT_EXCEPTIONS,
  AT_GATE,
  CLOSE_EXCEPTIONS,
  CLOSE_GATE,
  CONNECTIONS,
  END_CONNECTIONS,
  OPEN_GATES,
} from './gates.sql.ts';

/** Between two looks, so that looking does not slow down what is looked at. */
export const LOOK_MS = 10;
/** After so long something is wrong with the fire itself, and it says so. */
const PATIENCE_MS = 120_000;

/** Each barrier that stands in the database, with the number its trigger waits on. */
export const GATES = {
  after_lease: 41,
  after_attempt_rows: 42,
  after_answer_before_commit: 43,
  during_commit: 44,
  before_rename: 45,
  between_rename_and_marking: 46,
} as const;

/** A place where processes are stopped until it is opened. */
export type Gate = {
  /** Resolves to the numbers of the processes standing there, as soon as there is one. */
  standing(): Promise<number[]>;
  open(): Promise<void>;
};

/** @returns how a process is told apart in the database. */
export const nameOf = (process: number): string => `docket-fire-${process}`;

/** Resolves to the first result that is not undefined. @throws after PATIENCE_MS, with `what` was waited for. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`waited too long: ${what}`);
    await pause(LOOK_MS);
  }
}

/** Stops these processes, and no others, where the barrier is. */
export async function closeGate(pool: Pool, barrier: keyof typeof GATES, processes: readonly number[]): Promise<Gate> {
  const holder = await pool.connect();
  const gate = GATES[barrier];
  await holder.query(CLOSE_GATE, [gate, processes]);
  return {
    standing: () =>
      until(`a process at ${barrier}`, async () => {
        const { rows } = await holder.query<{ process: number }>(AT_GATE, [gate]);
        return rows.length > 0 ? rows.map((row) => row.process) : undefined;
      }),
    open: async () => {
      await holder.query(OPEN_GATES);
      holder.release();
    },
  };
}

/** Stops an export after it has written its decisions and before its exceptions. */
export async function closeExceptions(pool: Pool, process: number): Promise<Gate> {
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(CLOSE_EXCEPTIONS);
  return {
    standing: () =>
      until('an export between its files', async () => {
        // Not by the holder: inside one transaction pg_stat_activity stays as it was first seen.
        const { rows } = await pool.query<{ process: number }>(AT_EXCEPTIONS, [[nameOf(process)]]);
        return rows.length > 0 ? rows.map((row) => row.process) : undefined;
      }),
    open: async () => {
      await holder.query('ROLLBACK');
      holder.release();
    },
  };
}

/**
 * Opens a gate behind dead processes, so that the database ends their statements as asked, and waits until nothing of
 * theirs is left in it.
 */
export async function bury(pool: Pool, gate: Gate, dead: readonly number[], aftermath: Aftermath): Promise<void> {
  const names = dead.map(nameOf);
  if (aftermath === 'lost') await pool.query(END_CONNECTIONS, [names]);
  await gate.open();
  await until('the end of dead connections', async () => {
    const { rows } = await pool.query<{ count: number }>(CONNECTIONS, [names]);
    return rows[0]?.count === 0 || undefined;
  });
}
