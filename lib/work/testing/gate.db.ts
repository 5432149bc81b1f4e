import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../../db/pool.db.ts';
import { HOLD_CONTENT, HOLD_ITEMS, WAITING_FOR_LOCKS } from './gate.sql.ts';

/** Between two looks, so that looking does not slow down what is waited for. */
const LOOK_MS = 5;

type Rows = { readonly contentIds: readonly string[] } | { readonly itemIds: readonly number[] };

/** Runs `body` while another connection holds these rows. @returns what it returned, after they were let go. */
export async function whileHeld<T>(pool: Pool, held: Rows, body: () => Promise<T>): Promise<T> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    if ('contentIds' in held) await holder.query(HOLD_CONTENT, [held.contentIds]);
    else await holder.query(HOLD_ITEMS, [held.itemIds]);
    return await body();
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
}

/**
 * Starts acts one after another while rows they need are held, each waiting before the next begins, and lets go when all
 * of them wait: so they meet, queued in the order given.
 * @param held rows that every act has to wait for, directly or behind the act before it.
 * @returns what they returned, in this order.
 */
export async function meet<T extends readonly unknown[]>(
  pool: Pool,
  held: Rows,
  acts: { readonly [K in keyof T]: () => Promise<T[K]> },
): Promise<T> {
  const running: Promise<unknown>[] = [];
  await whileHeld(pool, held, async () => {
    for (const act of acts) {
      running.push(act());
      await untilWaiting(pool, running.length);
    }
  });
  return (await Promise.all(running)) as unknown as T;
}

/** Resolves when `count` connections of this database wait for a lock. */
export async function untilWaiting(pool: Pool, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(WAITING_FOR_LOCKS);
    if ((rows[0]?.count ?? 0) >= count) return;
    await pause(LOOK_MS);
  }
}
