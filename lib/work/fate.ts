import { restrictingAction } from '../policy/derive.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import type { Because, Verdict } from '../policy/verdict.ts';
import { type AfterFailure, afterFailure, type Used } from './after-failure.ts';
import type { Effect, Finding, Outcome } from './effect.ts';
import type { HeldItem, ItemResult } from './item-end.ts';
import { type ItemState, isBornClosed } from './item-state.ts';

/** What became of one key. `missing`: it was said to be answered and is not. */
export type Committed =
  | {
      readonly kind: 'decision';
      readonly verdict: Verdict;
      readonly because: readonly Because[];
      /** The decision stood already; `differs` where this call answered otherwise. */
      readonly deduplicated: boolean;
      readonly differs: boolean;
    }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'missing' };

type Decided = Extract<Committed, { kind: 'decision' }>;

/** What becomes of an item whose hold ends, before its effects. */
export type Fate = {
  readonly item: HeldItem;
  readonly result: ItemResult;
  /** How the attempt of this hold is booked; null where none was recorded. */
  readonly booked: { readonly outcome: string; readonly spends: boolean } | null;
  readonly used: Used;
  readonly next: Decided | AfterFailure['next'];
};

/** The row that ends the hold. */
export type ItemRow = Used & {
  readonly id: number;
  readonly token: string;
  readonly state: ItemState;
  readonly effect: Effect | null;
  readonly deduplicated: boolean;
  readonly failureCode: string | null;
  readonly delayMs: number;
  readonly attemptCount: number;
};

/**
 * What becomes of a held item.
 * @param committed what became of its key; undefined where the end is neither an answer nor a standing decision.
 * @param random from 0 up to 1, for the jitter of a retry.
 * @throws where the attempt is not the one that was recorded last: a bug of the caller.
 */
export function fateOf(item: HeldItem, result: ItemResult, committed: Committed | undefined, random: number): Fate {
  if (result.attempt !== null && result.attempt !== item.attemptCount + 1) throw new Error('an attempt out of turn');
  const { end } = result;
  switch (end.kind) {
    case 'released':
      return fate(item, result, { outcome: 'released', spends: false }, item, {
        kind: 'pending',
        delayMs: end.delayMs ?? 0,
      });
    case 'failure': {
      const after = afterFailure(end, item, random);
      return fate(item, result, { outcome: end.code, spends: after.spends }, after, after.next);
    }
    case 'answer':
    case 'standing':
      return answered(item, result, committed);
  }
}

function answered(item: HeldItem, result: ItemResult, committed: Committed | undefined): Fate {
  if (committed === undefined) throw new Error('an answer whose key was not committed');
  const used = result.attempt === null ? item : { ...item, spentCount: item.spentCount + 1 };
  switch (committed.kind) {
    case 'decision':
      return fate(item, result, { outcome: 'ok', spends: true }, used, committed);
    case 'conflict': {
      const code = 'conflicting_identity';
      return fate(item, result, { outcome: code, spends: true }, used, { kind: 'exception', code });
    }
    case 'missing':
      return fate(item, result, { outcome: 'released', spends: false }, item, { kind: 'pending', delayMs: 0 });
  }
}

function fate(item: HeldItem, result: ItemResult, booked: Fate['booked'], used: Used, next: Fate['next']): Fate {
  return { item, result, booked: result.attempt === null ? null : booked, used, next };
}

/** @returns what the effects are decided on, or null where the item goes back or ends without anybody looking. */
export function findingOf({ next }: Fate, document: PolicyDocument): Finding | null {
  switch (next.kind) {
    case 'pending':
      return null;
    case 'exception':
      return isBornClosed(next.code) ? null : { kind: 'exception', code: next.code };
    case 'decision':
      return decisionFinding(next, document);
  }
}

/** @returns what a decision says for its effects: its strongest reason, and what the policy's rule proposes. */
export function decisionFinding(
  { verdict, because }: { readonly verdict: Verdict; readonly because: readonly Because[] },
  document: PolicyDocument,
): Finding {
  const strongest = because[0];
  return {
    kind: 'decision',
    verdict,
    label: strongest?.label ?? null,
    score: strongest?.score ?? null,
    action: restrictingAction(document, { verdict, because }),
  };
}

/** @returns the row that ends the hold, given what the effects came to (undefined where there was no finding). */
export function itemRow({ item, result, used, next }: Fate, outcome: Outcome | undefined): ItemRow {
  const row = {
    id: item.id,
    token: item.token,
    attemptCount: result.attempt ?? item.attemptCount,
    spentCount: used.spentCount,
    invalidCount: used.invalidCount,
    waitedMs: used.waitedMs,
    callGroup: used.callGroup,
    alone: used.alone,
    effect: null,
    deduplicated: false,
    failureCode: null,
    delayMs: 0,
  };
  switch (next.kind) {
    case 'pending':
      return { ...row, state: 'pending', delayMs: next.delayMs };
    case 'exception':
      return { ...row, state: 'failed_review', failureCode: next.code };
    case 'decision':
      if (!outcome) throw new Error('a decision without an effect');
      return { ...row, state: 'classified', effect: outcome.effect, deduplicated: next.deduplicated };
  }
}
