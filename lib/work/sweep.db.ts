import type { Pool, Tx } from '../db/pool.db.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { commitHeld } from './commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from './item-end.ts';
import { type HeldRow, type OpenStart, openStarts, toHeldItem } from './lease.db.ts';
import { LOCK_EXPIRED, RUNS_WITH_EXPIRED } from './lease.sql.ts';
import { SWEEP_BATCH_COUNT } from './limits.ts';
import { findRun, shareRun } from './runs.db.ts';

/** Nobody knows what a call came to whose worker is gone: what was set aside for it counts as used. */
function expired({ reservedUnits }: OpenStart): ItemEnd {
  const call = { latencyMs: null, units: reservedUnits, raw: null, weight: null };
  return { kind: 'failure', code: 'lease_expired', retryAfterMs: null, pauses: false, call };
}

/**
 * Sweep: takes back what workers let expire, by the database's clock. A start without outcome is booked as
 * `lease_expired`, which spends an attempt and makes the item be called alone from then on, or ends it where the budget
 * is spent; an item that was never started spends nothing.
 * @param slot the sweeping worker's, for its counters.
 * @returns items taken back.
 */
export async function sweepLeases(pool: Pool, { slot }: { readonly slot: number }): Promise<number> {
  const { rows } = await pool.query<{ run_id: string }>(RUNS_WITH_EXPIRED);
  let swept = 0;
  for (const { run_id: runId } of rows) {
    const policy = await policyOf(pool, runId);
    for (let batch = SWEEP_BATCH_COUNT; batch === SWEEP_BATCH_COUNT; swept += batch) {
      batch = await sweepBatch(pool, { runId, policy, slot });
    }
  }
  return swept;
}

async function sweepBatch(pool: Pool, job: { runId: string; policy: PolicyVersion; slot: number }): Promise<number> {
  const report = await commitHeld(pool, job, async (tx) => {
    const run = await shareRun(tx, job.runId);
    const { rows } = await tx.query<HeldRow>(LOCK_EXPIRED, [job.runId, SWEEP_BATCH_COUNT]);
    const held = new Map(rows.map((row) => [row.id, toHeldItem(row)]));
    return { run, held, results: await endings(tx, held) };
  });
  return report.settled;
}

async function endings(tx: Tx, held: ReadonlyMap<number, HeldItem>): Promise<ItemResult[]> {
  const starts = await openStarts(tx, [...held.keys()]);
  return [...held.values()].map((item) => {
    const start = starts.get(item.id);
    const end: ItemEnd = start ? expired(start) : { kind: 'released' };
    return { id: item.id, token: item.token, attempt: start?.number ?? null, end };
  });
}

async function policyOf(pool: Pool, runId: string): Promise<PolicyVersion> {
  const run = await findRun(pool, runId);
  const policy = run && (await findPolicy(pool, run.policyVersion));
  if (!policy) throw new Error('a run without its policy version');
  return policy;
}
