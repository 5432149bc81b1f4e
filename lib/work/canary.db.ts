import type { Tx } from '../db/pool.db.ts';
import { COUNT_STRATA, DRAW_CANARY, OPEN_CANARY } from './canary.sql.ts';
import { allotCanary, type Stratum, strataCount } from './canary.ts';

/**
 * Step: draws the canary of a run whose items were admitted just now, and keeps everything else back until the go. A run
 * in which nothing is left to call has no canary.
 * @param size items asked for; a smaller run is a canary as a whole.
 * @returns items drawn.
 */
export async function drawCanary(
  tx: Tx,
  { runId, size }: { readonly runId: string; readonly size: number },
): Promise<number> {
  const quantiles = strataCount(size);
  const { rows } = await tx.query<Stratum>(COUNT_STRATA, [runId, quantiles]);
  if (rows.length === 0) return 0;
  const { rowCount } = await tx.query(DRAW_CANARY, [runId, quantiles, allotCanary(rows, size)]);
  const drawn = rowCount ?? 0;
  await tx.query(OPEN_CANARY, [runId, drawn]);
  return drawn;
}
