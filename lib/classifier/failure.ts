/** How a call can end other than with an answer, and what follows: the table of the page `states`. */

/**
 * - `retry`: again after a capped backoff.
 * - `wait`: again at the time the service names, nothing spent until RATE_LIMIT_WAIT_MAX_MS in all; then as overloaded.
 * - `once_more`: one more attempt, then failed_review.
 * - `final`: failed_review at once.
 * - `pause`: the run pauses, the item goes back unspent.
 * - `drop`: the result belongs to nobody any more.
 */
export type Follows = 'retry' | 'wait' | 'once_more' | 'final' | 'pause' | 'drop';

type Consequence = {
  readonly follows: Follows;
  /** The attempt counts against the item's budget of attempts. */
  readonly spends: boolean;
  /** It also counts against the smaller budget of invalid answers. */
  readonly invalid: boolean;
  /** A complete answer came and was no good, so the next call is a new one: the call group in the idempotency key rises. */
  readonly groupRises: boolean;
};

const RETRY: Consequence = { follows: 'retry', spends: true, invalid: false, groupRises: false };
const INVALID: Consequence = { follows: 'once_more', spends: true, invalid: true, groupRises: true };
const INTERRUPTED: Consequence = { follows: 'once_more', spends: true, invalid: true, groupRises: false };
const FINAL: Consequence = { follows: 'final', spends: true, invalid: false, groupRises: false };
const NO_CALL: Consequence = { follows: 'final', spends: false, invalid: false, groupRises: false };
const PAUSE: Consequence = { follows: 'pause', spends: false, invalid: false, groupRises: false };

export const FAILURES = {
  timeout: RETRY,
  transport_error: RETRY,
  outcome_unknown: RETRY,
  overloaded: RETRY,
  bad_upstream: RETRY,
  lease_expired: RETRY,

  rate_limited: { follows: 'wait', spends: false, invalid: false, groupRises: false },

  invalid_json: INVALID,
  duplicate_key: INVALID,
  schema_mismatch: INVALID,
  unknown_label: INVALID,
  item_mismatch: INVALID,
  missing_result: INVALID,
  truncated_output: INVALID,
  empty_output: INVALID,
  evidence_out_of_bounds: INVALID,
  incomplete_stream: INTERRUPTED,
  internal_error: INTERRUPTED,

  no_text: NO_CALL,
  content_too_large: NO_CALL,
  refused: FINAL,
  provider_filtered: FINAL,
  provider_filtered_input: FINAL,
  conflicting_identity: FINAL,

  config_error: PAUSE,
  model_mismatch: PAUSE,
  quota_exhausted: PAUSE,

  lease_lost: { follows: 'drop', spends: false, invalid: false, groupRises: false },
  ceiling: PAUSE,
} as const satisfies Record<string, Consequence>;

export type FailureCode = keyof typeof FAILURES;

/** @returns what follows a failure. */
export function consequence(code: FailureCode): Consequence {
  return FAILURES[code];
}

/** @returns true where the service said nothing about the item: it was away, overloaded or no such service at all. */
export function isServiceFault(outcome: 'ok' | FailureCode): boolean {
  return outcome !== 'ok' && consequence(outcome).follows === 'retry';
}

/** So many bad_upstream in a row pause a run: one is an accident, five are a wrong address. */
export const BAD_UPSTREAM_PAUSE_COUNT = 5;
export const BACKOFF_FIRST_MS = 1_000;
export const BACKOFF_MAX_MS = 5 * 60_000;
/** An item waits so long in all for a service that limits its rate, unspent; after that it counts as overloaded. */
export const RATE_LIMIT_WAIT_MAX_MS = 60 * 60_000;

/**
 * Wait before the next attempt: doubling, capped, with full jitter so that items that failed together do not return
 * together.
 * @param tries failed attempts so far, 1 or more.
 * @param random from 0 up to 1.
 */
export function backoffMs(tries: number, random: number): number {
  const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** Math.min(Math.max(tries, 1) - 1, 30));
  return Math.floor(ceiling * random);
}

/**
 * Wait after rate_limited, in full what the service named.
 * @param namedMs a finite number, 0 or more: the caller has judged it.
 * @param random from 0 up to 1; spreads the return of items that were told the same time.
 * @returns ms, above zero and at most RATE_LIMIT_WAIT_MAX_MS.
 */
export function rateLimitWaitMs(namedMs: number, random: number): number {
  return Math.min(RATE_LIMIT_WAIT_MAX_MS, Math.ceil(namedMs) + Math.floor(BACKOFF_FIRST_MS * random) + 1);
}
