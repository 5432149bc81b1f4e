import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BACKOFF_FIRST_MS,
  BACKOFF_MAX_MS,
  backoffMs,
  consequence,
  FAILURES,
  type FailureCode,
  RATE_LIMIT_WAIT_MAX_MS,
  rateLimitWaitMs,
} from './failure.ts';

/** The table of the page `states`, written a second time by hand. */
const TABLE: Record<string, { codes: string; spends: boolean; invalid: boolean }> = {
  retry: {
    codes: 'timeout transport_error outcome_unknown overloaded bad_upstream lease_expired',
    spends: true,
    invalid: false,
  },
  wait: { codes: 'rate_limited', spends: false, invalid: false },
  once_more: {
    codes:
      'invalid_json duplicate_key schema_mismatch unknown_label item_mismatch missing_result truncated_output ' +
      'incomplete_stream empty_output evidence_out_of_bounds internal_error',
    spends: true,
    invalid: true,
  },
  pause: { codes: 'config_error model_mismatch quota_exhausted ceiling', spends: false, invalid: false },
  drop: { codes: 'lease_lost', spends: false, invalid: false },
};
const FINAL = 'no_text refused provider_filtered provider_filtered_input content_too_large conflicting_identity'.split(
  ' ',
);

describe('what follows a failure', () => {
  test.each(
    Object.entries(TABLE).flatMap(([follows, { codes, ...rest }]) =>
      codes.split(' ').map((code) => ({ code, follows, ...rest })),
    ),
  )('$code: $follows', ({ code, ...expected }) => {
    expect(consequence(code as FailureCode)).toMatchObject(expected);
  });

  test.each(FINAL)('%s: final, and no invalid answer', (code) => {
    expect(consequence(code as FailureCode)).toMatchObject({ follows: 'final', invalid: false });
  });

  test('there is no code beyond the table', () => {
    const known = [...Object.values(TABLE).flatMap(({ codes }) => codes.split(' ')), ...FINAL];
    expect(Object.keys(FAILURES).sort()).toEqual(known.sort());
  });

  test('the call group rises after a complete answer that was no good, and only then', () => {
    const rising = Object.keys(FAILURES).filter((code) => consequence(code as FailureCode).groupRises);
    const complete = (TABLE.once_more?.codes ?? '')
      .split(' ')
      .filter((code) => !['incomplete_stream', 'internal_error'].includes(code));
    expect(rising.sort()).toEqual(complete.sort());
  });
});

describe('waiting', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [9, 256_000],
    [10, 300_000],
    [1_000, 300_000],
  ])('after try %i the backoff lies below %i ms', (tries, ceiling) => {
    expect(backoffMs(tries, 0)).toBe(0);
    expect(backoffMs(tries, 0.5)).toBe(ceiling / 2);
    expect(backoffMs(tries, 0.999_999_9)).toBeLessThanOrEqual(ceiling);
  });

  test('a backoff is always a whole number within its bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 100_000 }), random, (tries, r) => {
        const wait = backoffMs(tries, r);
        expect(Number.isInteger(wait) && wait >= 0 && wait <= BACKOFF_MAX_MS).toBe(true);
      }),
    );
  });

  test('whatever a service names, the wait is a number above zero and at most the hour', () => {
    const named = fc.double({ min: 0, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(named, random, (ms, r) => {
        const wait = rateLimitWaitMs(ms, r);
        expect(Number.isInteger(wait) && wait > 0 && wait <= RATE_LIMIT_WAIT_MAX_MS).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(Math.min(ms, RATE_LIMIT_WAIT_MAX_MS));
      }),
    );
  });

  test('the time a service names is waited for in full, and those who were told the same do not return together', () => {
    expect(rateLimitWaitMs(7_000, 0)).toBeGreaterThan(7_000);
    expect(rateLimitWaitMs(7_000, 0.9)).toBeLessThanOrEqual(7_000 + BACKOFF_FIRST_MS);
    expect(rateLimitWaitMs(7_000, 0.9)).not.toBe(rateLimitWaitMs(7_000, 0.1));
  });
});
