import type { FailureCode } from '../classifier/failure.ts';
import type { Queryable } from '../db/pool.db.ts';
import { FOLLOWS_ITEM } from './blame.sql.ts';

/** Faults of the set-up, as a rule. One that some content brings about would pause its run for ever. */
const OF_THE_SET_UP: readonly string[] = ['config_error', 'model_mismatch'];

/**
 * @returns true where the fault follows the item: it met one of the set-up before, and other items of its run were
 * called and answered since. The set-up is sound then, and the item is to end instead of the run.
 */
export async function followsItem(
  db: Queryable,
  asked: { readonly runId: string; readonly itemId: number; readonly outcome: 'ok' | FailureCode },
): Promise<boolean> {
  if (!OF_THE_SET_UP.includes(asked.outcome)) return false;
  const { rows } = await db.query<{ follows: boolean }>(FOLLOWS_ITEM, [asked.runId, asked.itemId, OF_THE_SET_UP]);
  return rows[0]?.follows ?? false;
}
