import {
  BACKOFF_MAX_MS,
  backoffMs,
  consequence,
  RATE_LIMIT_WAIT_MAX_MS,
  rateLimitWaitMs,
} from '../classifier/failure.ts';
import type { HeldItem, ItemEnd } from './item-end.ts';
import { ATTEMPTS_MAX, INVALID_MAX } from './limits.ts';

type Failure = Extract<ItemEnd, { kind: 'failure' }>;
/** What of its budgets an item has used up. */
export type Used = Pick<HeldItem, 'spentCount' | 'invalidCount' | 'waitedMs' | 'callGroup' | 'alone'>;

/** What follows a failure, and what the item has used up afterwards. */
export type AfterFailure = Used & {
  /** Whether this attempt counts against the budget. */
  readonly spends: boolean;
  /** Back to pending after `delayMs`, or an exception with `code`. */
  readonly next:
    | { readonly kind: 'pending'; readonly delayMs: number }
    | { readonly kind: 'exception'; readonly code: string };
};

/**
 * What follows one failure of one item, by the table of failure codes and the budgets: ATTEMPTS_MAX attempts spent, of
 * which INVALID_MAX complete but invalid answers.
 * @param random from 0 up to 1, for the jitter.
 */
export function afterFailure(failure: Failure, used: Used, random: number): AfterFailure {
  if (failure.code === 'withdrawn')
    return { ...plain(used), spends: false, next: { kind: 'exception', code: failure.code } };
  if (failure.pauses) return { ...plain(used), spends: false, next: { kind: 'pending', delayMs: 0 } };
  const { follows, spends, invalid, groupRises } = consequence(failure.code);
  switch (follows) {
    case 'pause':
      if (failure.isOwn) return { ...spend(used, true), spends: true, next: { kind: 'exception', code: failure.code } };
      return { ...plain(used), spends: false, next: { kind: 'pending', delayMs: 0 } };
    case 'drop':
      return { ...plain(used), spends: false, next: { kind: 'pending', delayMs: 0 } };
    case 'wait':
      return afterRateLimit(failure, used, random);
    case 'final':
      return { ...spend(used, spends), spends, next: { kind: 'exception', code: failure.code } };
    case 'retry':
    case 'once_more': {
      const now = {
        ...spend(used, spends),
        invalidCount: used.invalidCount + (invalid ? 1 : 0),
        callGroup: used.callGroup + (groupRises ? 1 : 0),
        alone: used.alone || failure.code === 'lease_expired',
      };
      return { ...now, spends, next: nextTry(failure, now, random) };
    }
  }
}

/** The named time is waited for, unspent, as long as the waits of this item stay under the limit; else it is overload. */
function afterRateLimit(failure: Failure, used: Used, random: number): AfterFailure {
  const named = failure.retryAfterMs;
  if (named !== null && Number.isFinite(named) && named >= 0) {
    const delayMs = rateLimitWaitMs(named, random);
    const waitedMs = used.waitedMs + delayMs;
    if (named <= RATE_LIMIT_WAIT_MAX_MS && waitedMs <= RATE_LIMIT_WAIT_MAX_MS) {
      return { ...plain(used), waitedMs, spends: false, next: { kind: 'pending', delayMs } };
    }
  }
  const now = spend(used, true);
  return { ...now, spends: true, next: nextTry(failure, now, random) };
}

function nextTry({ code, retryAfterMs }: Failure, now: Used, random: number): AfterFailure['next'] {
  const spent = now.spentCount >= ATTEMPTS_MAX || now.invalidCount >= INVALID_MAX;
  if (spent) return { kind: 'exception', code };
  // A service that is overloaded and names a time is not asked before it, within what a backoff may come to.
  const named = code === 'overloaded' && retryAfterMs !== null && retryAfterMs >= 0 ? retryAfterMs : 0;
  return { kind: 'pending', delayMs: Math.max(backoffMs(now.spentCount, random), Math.min(named, BACKOFF_MAX_MS)) };
}

function plain({ spentCount, invalidCount, waitedMs, callGroup, alone }: Used): Used {
  return { spentCount, invalidCount, waitedMs, callGroup, alone };
}

function spend(used: Used, spends: boolean): Used {
  return { ...plain(used), spentCount: used.spentCount + (spends ? 1 : 0) };
}
