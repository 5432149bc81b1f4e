import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FailureCode } from '../../lib/classifier/failure.ts';
import { BREAKER_PROBES_MAX, BREAKER_TRIP_COUNT } from '../../lib/work/breaker.ts';
import { throttle } from './throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failed = (outcome: FailureCode, retryAfterMs?: number) =>
  ({ outcome, latencyMs: 5, ...(retryAfterMs !== undefined && { retryAfterMs }) }) as const;

/** A throttle whose notices are written down; jitter is off. */
function watched(bound: number) {
  const seen: string[] = [];
  const one = throttle(bound, { onChange: () => seen.push('change'), onOpened: () => seen.push('opened') }, () => 1);
  const fail = (count: number): boolean[] =>
    Array.from({ length: count }, () => one.ended(one.begin(), failed('timeout')));
  return { one, seen, fail };
}

test('faults in a row stop all calls; after a while one call may find out', () => {
  const { one, seen, fail } = watched(8);
  fail(BREAKER_TRIP_COUNT);
  expect([one.allowed(), seen, one.shown().why]).toEqual([0, ['opened'], 'breaker_open']);
  vi.advanceTimersByTime(1_000);
  expect([one.allowed(), seen, one.shown().why]).toEqual([1, ['opened', 'change'], 'breaker_probe']);
});

test('a probe that fails waits longer, and the last one says that the run has to pause', () => {
  const { one, fail } = watched(8);
  fail(BREAKER_TRIP_COUNT);
  const pauses: boolean[] = [];
  for (let probe = 0; probe < BREAKER_PROBES_MAX; probe++) {
    vi.advanceTimersToNextTimer();
    expect(one.allowed()).toBe(1);
    pauses.push(...fail(1));
    expect(one.allowed()).toBe(0);
  }
  expect(pauses).toEqual([false, false, false, false, false, true]);
});

test('an answer, also a late one, lets the calls go on at the lowered pace', () => {
  const { one, fail } = watched(8);
  const before = one.begin();
  fail(BREAKER_TRIP_COUNT);
  one.ended(before, failed('refused'));
  expect(one.allowed()).toBeGreaterThanOrEqual(1);
  expect(one.shown().why).not.toMatch(/breaker/);
  vi.advanceTimersByTime(60_000);
  expect(one.shown().why).not.toMatch(/breaker/);
});

test('a service that names a time is not called before it', () => {
  const { one } = watched(8);
  one.ended(one.begin(), failed('rate_limited', 5_000));
  vi.advanceTimersByTime(4_999);
  expect(one.allowed()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(one.allowed()).toBe(1);
});

test('a bound that the operator lowers holds at once', () => {
  const { one, seen } = watched(8);
  one.setBound(2);
  expect([one.allowed(), seen]).toEqual([2, ['change']]);
});
