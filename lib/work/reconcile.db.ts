import type { Pool, Tx } from '../db/pool.db.ts';
import {
  BEGIN_ONE_MOMENT,
  CONTROL_TOTALS,
  COUNT_CLASSIFIED,
  COUNT_DECISIONS,
  COUNT_DEDUPLICATED,
  COUNT_FAILED,
  COUNT_FOREIGN_DECISIONS,
  COUNT_MEMBERS,
  COUNT_MISPLACED,
  COUNT_OPEN,
} from './reconcile.sql.ts';
import { type Reconciliation, reconciled, type TermCount } from './reconciliation.ts';

/**
 * Reconciles a run: counts each term by its own query over its own table, all of one moment, and compares them.
 * @returns whether it closes, what differs, and the terms by source and content type. A run that still works closes,
 * too; `pending` says what is left.
 */
export async function reconcile(pool: Pool, runId: string): Promise<Reconciliation> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(BEGIN_ONE_MOMENT);
    return await reconcileIn(client, runId);
  } finally {
    await client.query('ROLLBACK').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}

/** As `reconcile`, in the caller's transaction, which must read one moment (REPEATABLE READ) where the run works. */
export async function reconcileIn(tx: Tx, runId: string): Promise<Reconciliation> {
  const count = async (statement: string): Promise<TermCount[]> => (await tx.query<TermCount>(statement, [runId])).rows;
  return reconciled({
    revisions: await count(COUNT_MEMBERS),
    control: await count(CONTROL_TOTALS),
    decisions: await count(COUNT_DECISIONS),
    classified: await count(COUNT_CLASSIFIED),
    exceptions: await count(COUNT_FAILED),
    pending: await count(COUNT_OPEN),
    deduplicated: await count(COUNT_DEDUPLICATED),
    foreign: await count(COUNT_FOREIGN_DECISIONS),
    misplaced: await count(COUNT_MISPLACED),
  });
}
