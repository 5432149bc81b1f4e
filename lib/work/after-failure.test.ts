import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURES, type FailureCode, RATE_LIMIT_WAIT_MAX_MS } from '../classifier/failure.ts';
import { afterFailure, type Used } from './after-failure.ts';
import type { ItemEnd } from './item-end.ts';
import { ATTEMPTS_MAX, INVALID_MAX } from './limits.ts';

const fresh: Used = { spentCount: 0, invalidCount: 0, waitedMs: 0, callGroup: 0, alone: false };
const failed = (code: FailureCode, changes: { retryAfterMs?: number; pauses?: boolean } = {}) =>
  ({ kind: 'failure', code, retryAfterMs: null, pauses: false, call: null, ...changes }) satisfies ItemEnd;

describe('the first failure of an item', () => {
  const retry = { next: 'pending', spends: true, invalid: 0, group: 0 };
  const invalid = { next: 'pending', spends: true, invalid: 1, group: 1 };
  const final = { next: 'exception', spends: true, invalid: 0, group: 0 };
  const unspent = { next: 'pending', spends: false, invalid: 0, group: 0 };
  test.each<[FailureCode, typeof retry]>([
    ['timeout', retry],
    ['transport_error', retry],
    ['outcome_unknown', retry],
    ['overloaded', retry],
    ['bad_upstream', retry],
    ['lease_expired', retry],
    ['rate_limited', retry],
    ['invalid_json', invalid],
    ['duplicate_key', invalid],
    ['schema_mismatch', invalid],
    ['unknown_label', invalid],
    ['item_mismatch', invalid],
    ['missing_result', invalid],
    ['truncated_output', invalid],
    ['empty_output', invalid],
    ['evidence_out_of_bounds', invalid],
    ['incomplete_stream', { ...invalid, group: 0 }],
    ['internal_error', { ...invalid, group: 0 }],
    ['refused', final],
    ['provider_filtered', final],
    ['provider_filtered_input', final],
    ['conflicting_identity', final],
    ['no_text', { ...final, spends: false }],
    ['content_too_large', { ...final, spends: false }],
    ['config_error', unspent],
    ['model_mismatch', unspent],
    ['quota_exhausted', unspent],
    ['ceiling', unspent],
    ['lease_lost', unspent],
  ])('%s', (code, expected) => {
    const after = afterFailure(failed(code), fresh, 0.5);
    expect({
      next: after.next.kind,
      spends: after.spends,
      invalid: after.invalidCount,
      group: after.callGroup,
    }).toEqual(expected);
    expect(after.spentCount).toBe(expected.spends ? 1 : 0);
    expect(after.alone).toBe(code === 'lease_expired');
  });

  test.each<FailureCode>(['config_error', 'model_mismatch'])(
    '%s that follows the item ends it instead of the run',
    (code) => {
      expect(afterFailure({ ...failed(code), isOwn: true }, fresh, 0.5)).toMatchObject({
        spends: true,
        spentCount: 1,
        next: { kind: 'exception', code },
      });
    },
  );

  test.each([
    [4_000, 4_000],
    [3_600_000, 300_000],
    [Number.NaN, 500],
    [-1, 500],
  ])('an overloaded service that names %d ms is left alone for %d ms', (retryAfterMs, delayMs) => {
    expect(afterFailure(failed('overloaded', { retryAfterMs }), fresh, 0.5).next).toEqual({ kind: 'pending', delayMs });
  });

  test('the table above names every code', () => {
    expect(Object.keys(FAILURES)).toHaveLength(29);
  });
});

test('an attempt that makes the run pause is not spent, whatever its code', () => {
  expect(afterFailure(failed('bad_upstream', { pauses: true }), fresh, 0.5)).toMatchObject({
    ...fresh,
    spends: false,
    next: { kind: 'pending', delayMs: 0 },
  });
});

test('a second invalid answer is the last, a fourth spent attempt is the last', () => {
  const once = afterFailure(failed('invalid_json'), fresh, 0);
  expect(afterFailure(failed('schema_mismatch'), once, 0).next).toEqual({ kind: 'exception', code: 'schema_mismatch' });
  let used: Used = fresh;
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    const after = afterFailure(failed('timeout'), used, 0);
    expect(after.next.kind).toBe('pending');
    used = after;
  }
  expect(afterFailure(failed('lease_expired'), used, 0).next).toEqual({ kind: 'exception', code: 'lease_expired' });
});

describe('rate limits', () => {
  test('the named time is waited for, nothing is spent', () => {
    const after = afterFailure(failed('rate_limited', { retryAfterMs: 30_000 }), fresh, 0.5);
    expect(after).toMatchObject({ spends: false, spentCount: 0 });
    expect(after.next).toMatchObject({ kind: 'pending' });
    expect(after.next.kind === 'pending' && after.next.delayMs).toBeGreaterThanOrEqual(30_000);
  });

  test('where no time is named, or one that is no time, it counts as overload', () => {
    for (const retryAfterMs of [undefined, Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      const end = failed('rate_limited', retryAfterMs === undefined ? {} : { retryAfterMs });
      expect(afterFailure(end, fresh, 0.5)).toMatchObject({ spends: true, spentCount: 1 });
    }
  });

  test('waits of more than an hour in all count as overload', () => {
    const long = failed('rate_limited', { retryAfterMs: RATE_LIMIT_WAIT_MAX_MS + 1 });
    expect(afterFailure(long, fresh, 0)).toMatchObject({ spends: true, waitedMs: 0 });
    const waited = { ...fresh, waitedMs: RATE_LIMIT_WAIT_MAX_MS - 1_000 };
    expect(afterFailure(failed('rate_limited', { retryAfterMs: 500 }), waited, 0).spends).toBe(false);
    expect(afterFailure(failed('rate_limited', { retryAfterMs: 5_000 }), waited, 0).spends).toBe(true);
  });
});

test('no sequence of failures goes on for ever: every item comes to an end within its budgets', () => {
  const codes = Object.keys(FAILURES) as FailureCode[];
  const failures = fc.array(
    fc.record({ code: fc.constantFrom(...codes), retryAfterMs: fc.integer({ min: 1, max: RATE_LIMIT_WAIT_MAX_MS }) }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(failures, fc.double({ min: 0, max: 0.999, noNaN: true }), (sequence, random) => {
      let used: Used = fresh;
      for (const { code, retryAfterMs } of sequence) {
        const after = afterFailure(failed(code, { retryAfterMs }), used, random);
        expect(after.spentCount - used.spentCount).toBe(after.spends ? 1 : 0);
        expect(after.callGroup).toBeGreaterThanOrEqual(used.callGroup);
        expect(after.waitedMs).toBeLessThanOrEqual(RATE_LIMIT_WAIT_MAX_MS);
        if (after.next.kind === 'exception') return;
        expect(Number.isFinite(after.next.delayMs) && after.next.delayMs >= 0).toBe(true);
        expect(after.spentCount).toBeLessThan(ATTEMPTS_MAX);
        expect(after.invalidCount).toBeLessThan(INVALID_MAX);
        used = after;
      }
    }),
  );
});
