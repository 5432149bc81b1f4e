import { writeAudit } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { inOrder, transact } from '../db/transact.db.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { ok } from '../kernel/result.ts';
import { compareBytes } from '../kernel/text.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import type { HeldItem, ItemResult } from './item-end.ts';
import { lockHeld, lockKnown, openStarts } from './lease.db.ts';
import { addToCounters, completeRun, hasOpenItems, type Run, shareRun } from './runs.db.ts';
import { endHolds, type FlushReport, type Known, type Locked, lockAround, type Settled, settle } from './settle.db.ts';
import { settleUnits } from './units.db.ts';

export type Flush = {
  readonly runId: string;
  readonly policy: PolicyVersion;
  /** Of one run only; at most FLUSH_COUNT. */
  readonly results: readonly ItemResult[];
  /** The worker's slot, for its counters. */
  readonly slot: number;
  /** The caller looks by itself whether the run is over, with `endRunIfDone`. */
  readonly goesOn?: boolean;
};

/** What a flush is about, with everything locked that was locked together with the items. */
type Chosen = {
  readonly run: Run;
  readonly held: ReadonlyMap<number, HeldItem>;
  readonly results: readonly ItemResult[];
  readonly locked?: Locked | undefined;
};

/**
 * Act: commits a flush. Decisions, outcomes, evidence, effects, cases and the ends of the holds stand or fall together,
 * each fenced; what lost its lease is dropped. A run that has nothing left afterwards is completed.
 * @returns what it did.
 */
export async function commitFlush(pool: Pool, flush: Flush): Promise<FlushReport> {
  const { runId, policy, results } = flush;
  const known = results.filter((result): result is Known => result.about !== undefined);
  const whole = known.length === results.length;
  return commitHeld(pool, flush, async (tx) => {
    const [run, held, locked] = await inOrder(tx, [
      () => shareRun(tx, runId),
      () => (whole ? lockKnown(tx, known) : lockHeld(tx, results)),
      async () => (whole ? lockAround(tx, policy.slug, known) : undefined),
    ]);
    return { run, held, locked, results: await withStarts(tx, results, held) };
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
  return results.map((result) => ({ ...result, attempt: result.attempt ?? starts.get(result.id)?.number ?? null }));
}

/** Act, as `commitFlush`, for holds that are chosen and locked inside the transaction: `choose` says which end how. */
export async function commitHeld(
  pool: Pool,
  { runId, policy, slot, goesOn = false }: Omit<Flush, 'results'>,
  choose: (tx: Tx) => Promise<Chosen>,
): Promise<FlushReport> {
  const done = await transact<FlushReport, never>(pool, async (tx) => {
    const { run, held, results, locked } = await choose(tx);
    const settled = await settle(tx, { run, policy, held, results, locked, random: Math.random });
    const { report, rows, ended } = settled;
    await inOrder(tx, [
      () => endHolds(tx, rows),
      () => audit(tx, runId, settled),
      async () => (report.settled > 0 ? addToCounters(tx, { runId, slot, delta: report }) : undefined),
      () => settleUnits(tx, runId, ended),
    ]);
    return ok(report);
  });
  if (!done.ok) throw new Error('a flush has no refusals');
  if (!goesOn) await endRunIfDone(pool, runId);
  return done.value;
}

/**
 * Act, after a commit: ends a run of which nothing is left. Of two flushes that end together, each sees the other's items
 * still leased until it is over, so that it is asked after the last.
 */
export async function endRunIfDone(pool: Pool, runId: string): Promise<void> {
  if (!(await hasOpenItems(pool, runId))) await completeRun(pool, runId);
}

/** One audit event for all decisions of a flush. */
async function audit(tx: Tx, runId: string, { report, decisionIds }: Settled): Promise<void> {
  if (report.decisions + report.exceptions === 0) return;
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

/** @returns SHA-256 over the ids sorted bytewise, each followed by a line feed. */
export function idsSha256(ids: readonly string[]): string {
  return sha256Hex(
    [...ids]
      .sort(compareBytes)
      .map((id) => `${id}\n`)
      .join(''),
  );
}
