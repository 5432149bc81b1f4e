import type { Pool, Tx } from '../../db/pool.db.ts';
import { HOLD_CASE, HOLD_ITEM, WAITING_FOR_LOCKS } from './gate.sql.ts';

/**
 * Starts acts while their row is held by another connection, lets go once every one of them waits for a lock, and so
 * makes them meet: each has begun before any has ended. They queue in the order given.
 * @param held the row, or what the other connection does to it before it lets go.
 * @returns what they returned, in this order.
 */
export async function meet<T extends readonly unknown[]>(
  pool: Pool,
  held: { readonly contentId: string } | { readonly caseId: string } | ((holder: Tx) => Promise<unknown>),
  acts: { readonly [K in keyof T]: () => Promise<T[K]> },
): Promise<T> {
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    if (typeof held === 'function') await held(holder);
    else
      await ('contentId' in held ? holder.query(HOLD_ITEM, [held.contentId]) : holder.query(HOLD_CASE, [held.caseId]));
    const running: Promise<unknown>[] = [];
    for (const act of acts) {
      running.push(act());
      await waitFor(pool, running.length);
    }
    await holder.query('COMMIT');
    return (await Promise.all(running)) as unknown as T;
  } finally {
    holder.release();
  }
}

async function waitFor(pool: Pool, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(WAITING_FOR_LOCKS);
    if ((rows[0]?.count ?? 0) >= count) return;
  }
}
