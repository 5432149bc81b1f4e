import type { Pool } from '../db/pool.db.ts';
import { START_ATTEMPTS } from './attempts.sql.ts';
import type { HeldItem } from './item-end.ts';

/**
 * Act: records, just before the calls, that an attempt starts for each of these items of one run.
 * @returns the number of the attempt by item id. An item that is not in it must not be called: its lease is lost or its
 * run no longer runs.
 */
export async function startAttempts(
  pool: Pool,
  { runId, items }: { readonly runId: string; readonly items: readonly Pick<HeldItem, 'id' | 'token'>[] },
): Promise<Map<number, number>> {
  if (items.length === 0) return new Map();
  const { rows } = await pool.query<{ id: number; number: number }>(START_ATTEMPTS, [
    items.map((item) => item.id),
    items.map((item) => item.token),
    runId,
  ]);
  return new Map(rows.map((row) => [row.id, row.number]));
}
