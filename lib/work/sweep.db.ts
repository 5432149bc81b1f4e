import type { Pool, Tx } from '../db/pool.db.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { commitHeld } from './commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from './item-end.ts';
import { type HeldRow, lockHeld, toHeldItem } from './lease.db.ts';
import { LOCK_EXPIRED, OPEN_STARTS, RUNS_WITH_EXPIRED } from './lease.sql.ts';
import { SWEEP_BATCH_COUNT } from './limits.ts';
import { findRun } from './runs.db.ts';
import type { FlushReport } from './settle.db.ts';

type Held = Pick<HeldItem, 'id' | 'token'>;
const EXPIRED: ItemEnd = { kind: 'failure', code: 'lease_expired', retryAfterMs: null, pauses: false, call: null };

/**
 * Act: gives leases back that were not used up. An attempt that was recorded ends as `released`; nothing is spent.
 * @param job.items of one run; those that were lost meanwhile are left to whoever holds them now.
 */
export async function releaseLeases(
  pool: Pool,
  job: {
    readonly runId: string;
    readonly policy: PolicyVersion;
    readonly slot: number;
    readonly items: readonly Held[];
  },
): Promise<FlushReport> {
  return commitHeld(pool, job, async (tx) => {
    const held = await lockHeld(tx, job.items);
    return { held, results: await endings(tx, held, () => ({ kind: 'released' })) };
  });
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
    const { rows } = await tx.query<HeldRow>(LOCK_EXPIRED, [job.runId, SWEEP_BATCH_COUNT]);
    const held = new Map(rows.map((row) => [row.id, toHeldItem(row)]));
    return { held, results: await endings(tx, held, (started) => (started ? EXPIRED : { kind: 'released' })) };
  });
  return report.settled;
}

/** The starts are read after the locks, in a statement of its own: one recorded a moment before must be seen. */
async function endings(
  tx: Tx,
  held: ReadonlyMap<number, HeldItem>,
  end: (started: boolean) => ItemEnd,
): Promise<ItemResult[]> {
  if (held.size === 0) return [];
  const { rows } = await tx.query<{ id: number; number: number }>(OPEN_STARTS, [[...held.keys()]]);
  const starts = new Map(rows.map((row) => [row.id, row.number]));
  return [...held.values()].map((item) => {
    const attempt = starts.get(item.id) ?? null;
    return { id: item.id, token: item.token, attempt, end: end(attempt !== null) };
  });
}

async function policyOf(pool: Pool, runId: string): Promise<PolicyVersion> {
  const run = await findRun(pool, runId);
  const policy = run && (await findPolicy(pool, run.policyVersion));
  if (!policy) throw new Error('a run without its policy version');
  return policy;
}
