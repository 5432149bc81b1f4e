import { randomUUID } from 'node:crypto';
import type { Pool } from '../db/pool.db.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { commitFlush } from './commit.db.ts';
import { leaseStanding } from './lease.db.ts';
import { FLUSH_COUNT } from './limits.ts';

/**
 * Settles, without a call, the pending items of a run whose key is answered already: they become classified and
 * `deduplicated`, with the effect that is due in this run. Batch by batch, so that a kill in between leaves whole
 * batches; a worker that leases the rest finds them answered too.
 * @param workerId signs the leases; nobody needs to be registered under it.
 * @returns how many were settled.
 */
export async function settleStanding(
  pool: Pool,
  job: { readonly runId: string; readonly policy: PolicyVersion; readonly slot: number; readonly workerId?: string },
): Promise<number> {
  const workerId = job.workerId ?? randomUUID();
  let settled = 0;
  for (let after = 0; ; ) {
    const items = await leaseStanding(pool, { runId: job.runId, workerId, limit: FLUSH_COUNT, after });
    const last = items.at(-1);
    if (!last) return settled;
    after = last.id;
    const report = await commitFlush(pool, {
      ...job,
      results: items.map((item) => ({ id: item.id, token: item.token, attempt: null, end: { kind: 'standing' } })),
    });
    settled += report.decisions;
  }
}
