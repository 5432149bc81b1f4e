import type { Tx } from '../db/pool.db.ts';
import { MARK_EXPORTED } from './exported.sql.ts';

/**
 * Step: the classified items of a run become exported, once a bundle that holds all of them lies in its place. Take the
 * run's row first (`lockRun`), so that no flush adds to them meanwhile.
 * @returns how many changed.
 */
export async function markExported(tx: Tx, runId: string): Promise<number> {
  const { rowCount } = await tx.query(MARK_EXPORTED, [runId]);
  return rowCount ?? 0;
}
