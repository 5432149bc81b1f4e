import { lockGoverning } from '../content/governing.db.ts';
import { type LockedContent, lockContent } from '../content/status.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { inOrder } from '../db/transact.db.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { commitDecisions } from './decisions.db.ts';
import type { Outcome } from './effect.ts';
import { applyEffects } from './effects.db.ts';
import { type Fate, fateOf, findingOf, type ItemRow, itemRow } from './fate.ts';
import { type CallFacts, type HeldItem, type ItemEnd, type ItemResult, storable } from './item-end.ts';
import type { Run } from './runs.db.ts';
import { INSERT_EVIDENCE, INSERT_OUTCOMES, UPDATE_ITEMS } from './settle.sql.ts';
import type { Found } from './situations.db.ts';
import type { EndedUnits } from './units.db.ts';

/** What a flush did. Numbers only, safe to log. */
export type FlushReport = {
  /** Results that still held their item. */
  readonly settled: number;
  /** Results whose lease was lost: dropped. */
  readonly lost: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  /** Back to pending, for a retry or given back. */
  readonly returned: number;
  readonly attempts: number;
  readonly units: number;
  readonly answerDiffers: number;
  readonly held: number;
  readonly cases: number;
  readonly proposals: number;
};

export type Settled = {
  /** The rows that end the holds, still to be written: `endHolds`. */
  readonly rows: readonly ItemRow[];
  readonly report: FlushReport;
  /** Keys whose decision was inserted now. */
  readonly decisionIds: readonly string[];
  /** What the attempts that ended had set aside and used; booked last of all. */
  readonly ended: readonly EndedUnits[];
};

/**
 * Step: everything that follows from the ends of holds on items of one run, in the one order of locks: run (shared by the
 * caller), items (locked by the caller), governing versions, content, cases, actions. The caller writes the rows.
 * @param held the items the caller has locked by their fence; results for any other are dropped as lost.
 */
export async function settle(
  tx: Tx,
  job: {
    readonly run: Pick<Run, 'id' | 'mode' | 'policyVersion' | 'canaryOpen'>;
    readonly policy: PolicyVersion;
    readonly held: ReadonlyMap<number, HeldItem>;
    readonly results: readonly ItemResult[];
    /** What was locked together with the items; read here where it was not. */
    readonly locked?: Locked | undefined;
    /** From 0 up to 1 at each call, for the jitter of retries. */
    readonly random: () => number;
  },
): Promise<Settled> {
  const { run, policy } = job;
  const locked = job.results.flatMap((result): Hold[] => {
    const item = job.held.get(result.id);
    return item ? [{ item, result }] : [];
  });
  const { governing, content } =
    job.locked ??
    (await lockAround(
      tx,
      policy.slug,
      locked.map(({ item, result }) => ({ ...result, about: item })),
    ));
  const holds = locked.map((hold) => withdrawnIfRemoved(hold, content.get(hold.item.contentId)));
  const committed = await commitDecisions(tx, policy, holds.flatMap(toAnswered));
  const fates = holds.map(({ item, result }) => fateOf(item, result, committed.get(item.decisionId), job.random()));
  const found = fates.flatMap((fate): (Found & { fate: Fate })[] => {
    const finding = findingOf(fate, policy.document);
    if (!finding) return [];
    const itsContent = content.get(fate.item.contentId);
    if (!itsContent) throw new Error('the content of an item is missing');
    return [{ fate, finding, item: fate.item, content: itsContent }];
  });
  const [ended, effects] = await inOrder(tx, [
    () => bookAttempts(tx, fates),
    () => applyEffects(tx, run, governing, found),
  ]);
  const outcomes = new Map<Fate, Outcome | undefined>(found.map(({ fate }, at) => [fate, effects.outcomes[at]]));
  const rows = fates.map((fate) => itemRow(fate, outcomes.get(fate)));
  return {
    rows,
    report: {
      ...report(job.results, fates, rows),
      held: effects.held,
      cases: effects.cases,
      proposals: effects.proposals,
    },
    decisionIds: fates.flatMap(({ item, next }) =>
      next.kind === 'decision' && !next.deduplicated ? [item.decisionId] : [],
    ),
    ended,
  };
}

type Hold = { readonly item: HeldItem; readonly result: ItemResult };

/** What the effects of a flush depend on, under lock: governing versions by source, and content. */
export type Locked = {
  readonly governing: ReadonlyMap<string, string>;
  readonly content: ReadonlyMap<string, LockedContent>;
};

/** A result with its item. */
export type Known = ItemResult & { readonly about: HeldItem };

/** Step, after the items: locks what is around them, for results that say what they are about. */
export async function lockAround(tx: Tx, slug: string, results: readonly Known[]): Promise<Locked> {
  const [governing, content] = await inOrder(tx, [
    () =>
      lockGoverning(
        tx,
        results.map(({ about }) => about.source),
        slug,
      ),
    () =>
      lockContent(
        tx,
        results.filter(mayBeFinal).map(({ about }) => about.contentId),
      ),
  ]);
  return { governing, content };
}

/** Content is locked before it is known whether a failure is final: the lock order allows no later point. */
function mayBeFinal({ end }: Pick<ItemResult, 'end'>): boolean {
  return end.kind !== 'released';
}

/** Deleted content gets no decision any more, whatever was answered: its item is withdrawn. */
function withdrawnIfRemoved(hold: Hold, content: LockedContent | undefined): Hold {
  if (content?.status !== 'removed' || !mayBeFinal(hold.result)) return hold;
  const call = callOf(hold.result);
  const end: ItemEnd = { kind: 'failure', code: 'withdrawn', retryAfterMs: null, pauses: false, call };
  return { ...hold, result: { ...hold.result, end } };
}

function toAnswered({ item, result }: Hold): { item: HeldItem; draft: Draft }[] {
  if (result.end.kind === 'answer') return [{ item, draft: result.end.draft }];
  return result.end.kind === 'standing' ? [{ item, draft: null }] : [];
}
type Draft = Parameters<typeof commitDecisions>[2][number]['draft'];

async function bookAttempts(tx: Tx, fates: readonly Fate[]): Promise<EndedUnits[]> {
  const booked = fates.flatMap(({ item, result, booked: as }): Booked[] =>
    as === null || result.attempt === null
      ? []
      : [{ id: item.id, source: item.source, number: result.attempt, ...as, call: callOf(result) }],
  );
  if (booked.length === 0) return [];
  const [ended] = await inOrder(tx, [() => insertOutcomes(tx, booked), () => insertEvidence(tx, booked)]);
  return ended;
}

type Booked = {
  readonly id: number;
  readonly source: string;
  readonly number: number;
  readonly outcome: string;
  readonly spends: boolean;
  readonly call: CallFacts | null;
};

async function insertOutcomes(tx: Tx, booked: readonly Booked[]): Promise<EndedUnits[]> {
  const { rows } = await tx.query<EndedUnits>(INSERT_OUTCOMES, [
    booked.map((one) => one.id),
    booked.map((one) => one.number),
    booked.map((one) => one.outcome),
    booked.map((one) => one.spends),
    booked.map((one) => (one.call?.latencyMs == null ? null : Math.round(one.call.latencyMs))),
    booked.map((one) => one.call?.units ?? null),
    booked.map((one) => one.call?.weight?.requestBytes ?? null),
    booked.map((one) => one.call?.weight?.contentBytes ?? null),
    booked.map((one) => one.source),
  ]);
  return rows;
}

async function insertEvidence(tx: Tx, booked: readonly Booked[]): Promise<void> {
  const evidence = booked.flatMap(({ id, number, call }) => (call?.raw ? [{ id, number, raw: call.raw }] : []));
  if (evidence.length === 0) return;
  await tx.query(INSERT_EVIDENCE, [
    evidence.map((one) => one.id),
    evidence.map((one) => one.number),
    evidence.map((one) => storable(one.raw)),
  ]);
}

function callOf({ end }: ItemResult): CallFacts | null {
  return end.kind === 'answer' || end.kind === 'failure' ? end.call : null;
}

/** Step: writes the rows that end holds. @throws where an item moved under its lock, which is a bug. */
export async function endHolds(tx: Tx, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { rowCount } = await tx.query(UPDATE_ITEMS, [
    rows.map((row) => row.id),
    rows.map((row) => row.token),
    rows.map((row) => row.state),
    rows.map((row) => row.effect),
    rows.map((row) => row.deduplicated),
    rows.map((row) => row.failureCode),
    rows.map((row) => row.delayMs),
    rows.map((row) => row.attemptCount),
    rows.map((row) => row.spentCount),
    rows.map((row) => row.invalidCount),
    rows.map((row) => row.waitedMs),
    rows.map((row) => row.callGroup),
    rows.map((row) => row.alone),
  ]);
  if (rowCount !== rows.length) throw new Error('an item moved under its lock');
}

function report(
  results: readonly ItemResult[],
  fates: readonly Fate[],
  rows: readonly ItemRow[],
): Omit<FlushReport, 'held' | 'cases' | 'proposals'> {
  const count = (state: ItemRow['state']): number => rows.filter((row) => row.state === state).length;
  const units = fates.reduce((total, { result }) => total + (callOf(result)?.units ?? 0), 0);
  return {
    settled: fates.length,
    lost: results.length - fates.length,
    decisions: count('classified'),
    deduplicated: rows.filter((row) => row.deduplicated).length,
    exceptions: count('failed_review'),
    returned: count('pending'),
    attempts: fates.filter(({ booked }) => booked !== null).length,
    units,
    answerDiffers: fates.filter(({ next }) => next.kind === 'decision' && next.differs).length,
  };
}
