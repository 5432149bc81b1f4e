import 'server-only';
import type { Pool } from '@/lib/db/pool.db.ts';
import { reconcile } from '@/lib/work/reconcile.db.ts';
import type { Reconciliation } from '@/lib/work/reconciliation.ts';
import { runId } from './run-json.ts';

/** A run's arithmetic, each term counted by its own query, and when. */
export type ReconciliationJson = Reconciliation & { readonly countedAt: string };

/** @returns the reconciliation of a run, or null where there is none of that id. */
export async function reconciliationJson(pool: Pool, id: string | undefined): Promise<ReconciliationJson | null> {
  const run = await runId(pool, id);
  return run === null ? null : { ...(await reconcile(pool, run)), countedAt: new Date().toISOString() };
}
