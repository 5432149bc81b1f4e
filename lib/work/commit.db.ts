import { writeAudit } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { ok } from '../kernel/result.ts';
import { compareBytes } from '../kernel/text.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import type { HeldItem, ItemResult } from './item-end.ts';
import { lockHeld, openStarts } from './lease.db.ts';
import { addToCounters, completeRun, hasOpenItems, shareRun } from './runs.db.ts';
import { type FlushReport, type Settled, settle } from './settle.db.ts';
import { settleUnits } from './units.db.ts';

export type Flush = {
  readonly runId: string;
  readonly policy: PolicyVersion;
  /** Of one run only; at most FLUSH_COUNT. */
  readonly results: readonly ItemResult[];
  /** The worker's slot, for its counters. */
  readonly slot: number;
};

/**
 * Act: commits a flush. Decisions, outcomes, evidence, effects, cases and the ends of the holds stand or fall together,
 * each fenced; what lost its lease is dropped. A run that has nothing left afterwards is completed.
 * @returns what it did.
 */
export async function commitFlush(pool: Pool, flush: Flush): Promise<FlushReport> {
  return commitHeld(pool, flush, async (tx) => {
    const held = await lockHeld(tx, flush.results);
    return { held, results: await withStarts(tx, flush.results, held) };
  });
}

/**
 * Whoever gives an item back may not know whether its start was recorded, when the answer to that was lost. A start left
 * open would stand in the way of the next one.
 */
async function withStarts(
  tx: Tx,
  results: readonly ItemResult[],
  held: ReadonlyMap<number, HeldItem>,
): Promise<readonly ItemResult[]> {
  const unsure = results.filter(({ id, attempt, end }) => end.kind === 'released' && attempt === null && held.has(id));
  if (unsure.length === 0) return results;
  const starts = await openStarts(
    tx,
    unsure.map(({ id }) => id),
  );
  return results.map((result) => ({ ...result, attempt: result.attempt ?? starts.get(result.id) ?? null }));
}

/** Act, as `commitFlush`, for holds that are chosen and locked inside the transaction: `choose` says which end how. */
export async function commitHeld(
  pool: Pool,
  { runId, policy, slot }: Omit<Flush, 'results'>,
  choose: (tx: Tx) => Promise<{ held: ReadonlyMap<number, HeldItem>; results: readonly ItemResult[] }>,
): Promise<FlushReport> {
  const done = await transact<FlushReport, never>(pool, async (tx) => {
    const run = await shareRun(tx, runId);
    const { held, results } = await choose(tx);
    const settled = await settle(tx, { run, policy, held, results, random: Math.random });
    await account(tx, { runId, slot, settled });
    return ok(settled.report);
  });
  if (!done.ok) throw new Error('a flush has no refusals');
  // After the commit: of two flushes that end together, each sees the other's items still leased until it is over.
  if (!(await hasOpenItems(pool, runId))) await completeRun(pool, runId);
  return done.value;
}

/** One audit event for all decisions of a flush, then the counters, and the units last. */
async function account(
  tx: Tx,
  { runId, slot, settled }: { runId: string; slot: number; settled: Settled },
): Promise<void> {
  const { report, decisionIds, ended } = settled;
  if (report.decisions + report.exceptions > 0) {
    await writeAudit(tx, {
      actor: 'system',
      kind: 'work.flushed',
      subject: `run:${runId}`,
      data: {
        decisions: decisionIds.length,
        decision_ids_sha256: idsSha256(decisionIds),
        deduplicated: report.deduplicated,
        exceptions: report.exceptions,
      },
    });
  }
  if (report.settled > 0) await addToCounters(tx, { runId, slot, delta: report });
  await settleUnits(tx, runId, ended);
}

/** @returns SHA-256 over the ids sorted bytewise, each followed by a line feed. */
export function idsSha256(ids: readonly string[]): string {
  return sha256Hex(
    [...ids]
      .sort(compareBytes)
      .map((id) => `${id}\n`)
      .join(''),
  );
}
