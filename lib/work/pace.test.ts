import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '../classifier/failure.ts';
import { type Observed, observe, PACE_START_COUNT, type Pace, startPace, withBound } from './pace.ts';

const ok = (pace: Pace, latencyMs = 10): Observed => ({ outcome: 'ok', latencyMs, epoch: pace.epoch });
const times = (pace: Pace, count: number, what: (pace: Pace, nth: number) => Observed): Pace => {
  let now = pace;
  for (let nth = 0; nth < count; nth++) now = observe(now, what(now, nth));
  return now;
};
const rounds = (pace: Pace, count: number, latencyMs = 10): Pace => {
  let now = pace;
  for (let round = 0; round < count; round++) now = times(now, Math.max(now.atOnce, 8), (p) => ok(p, latencyMs));
  return now;
};

describe('a run begins gently and finds its pace', () => {
  test('it starts with few calls at once, never with more than the operator allows', () => {
    expect(startPace(3).atOnce).toBe(3);
    expect(startPace(200).atOnce).toBe(PACE_START_COUNT);
  });

  test('clean rounds double it up to the bound', () => {
    expect(rounds(startPace(100), 1).atOnce).toBe(32);
    expect(rounds(startPace(100), 9).atOnce).toBe(100);
  });

  test('after the first decrease a clean round adds one', () => {
    const lowered = observe(rounds(startPace(100), 9), { outcome: 'rate_limited', latencyMs: 1, epoch: 0 });
    expect(lowered.atOnce).toBe(50);
    expect(rounds(lowered, 3).atOnce).toBe(53);
  });
});

describe('what lowers it', () => {
  test.each<[FailureCode, number, string]>([
    ['rate_limited', 50, 'rate_limited'],
    ['overloaded', 50, 'faults'],
    ['timeout', 50, 'faults'],
    ['transport_error', 50, 'faults'],
    ['outcome_unknown', 50, 'faults'],
    ['bad_upstream', 50, 'faults'],
    ['refused', 100, 'steady'],
    ['provider_filtered_input', 100, 'steady'],
    ['no_text', 100, 'steady'],
  ])('%s brings 100 calls at once to %d', (outcome, atOnce, why) => {
    const pace = rounds(startPace(100), 10);
    const after = observe(pace, { outcome, latencyMs: 5, epoch: pace.epoch });
    expect([after.atOnce, after.why]).toEqual([atOnce, why]);
  });

  test('hundred limits at once lower it once: the rest are echoes of the pace that was', () => {
    const pace = rounds(startPace(100), 9);
    const after = times(pace, 100, () => ({ outcome: 'rate_limited', latencyMs: 5, epoch: pace.epoch }));
    expect(after.atOnce).toBe(50);
  });

  test('a round twice as slow as the best lowers it by a quarter; a service slower for good is accepted in the end', () => {
    const pace = rounds(startPace(64), 9, 100);
    const slow = rounds(pace, 1, 250);
    expect([slow.atOnce, slow.why]).toEqual([48, 'latency']);
    const later = rounds(slow, 200, 250);
    expect(later.atOnce).toBe(64);
  });

  test('a few milliseconds more are no trend, however many times the best', () => {
    expect(rounds(rounds(startPace(64), 9, 1), 1, 20).atOnce).toBe(64);
  });

  test('a certain rise of invalid answers halves it; the usual share does not', () => {
    const every =
      (share: number) =>
      (p: Pace, nth: number): Observed => ({
        outcome: nth % Math.round(1 / share) === 0 ? 'schema_mismatch' : 'ok',
        latencyMs: 10,
        epoch: p.epoch,
      });
    const usual = times(rounds(startPace(50), 9), 500, every(0.02));
    expect(usual.atOnce).toBe(50);
    const risen = times(usual, 50, every(0.25));
    expect([risen.atOnce, risen.why]).toEqual([25, 'invalid_answers']);
  });

  test('one invalid answer in a small round lowers nothing', () => {
    const pace = startPace(8);
    const after = times(pace, 8, (p, nth) => ({
      outcome: nth === 0 ? 'invalid_json' : 'ok',
      latencyMs: 1,
      epoch: p.epoch,
    }));
    expect(after.atOnce).toBe(8);
  });
});

test('a lower bound holds at once, a higher one is reached step by step', () => {
  const pace = rounds(startPace(100), 9);
  expect(withBound(pace, 10).atOnce).toBe(10);
  expect(withBound(withBound(pace, 10), 100).atOnce).toBe(10);
});

test('whatever comes, the pace stays from 1 to its bound', () => {
  const outcome = fc.constantFrom('ok' as const, ...(Object.keys(FAILURES) as FailureCode[]));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 512 }),
      fc.array(fc.tuple(outcome, fc.nat(30_000), fc.nat(3)), { maxLength: 400 }),
      (bound, results) => {
        let pace = startPace(bound);
        for (const [what, latencyMs, behind] of results) {
          const before = pace;
          pace = observe(pace, { outcome: what, latencyMs, epoch: pace.epoch - behind });
          expect(pace.atOnce).toBeGreaterThanOrEqual(1);
          expect(pace.atOnce).toBeLessThanOrEqual(bound);
          if (behind > 0) expect(pace).toEqual(before);
        }
      },
    ),
  );
});

test('a service that takes so many at once and no more is found and not passed for long', () => {
  // A model of a service with a hard limit: what is asked beyond it is told to wait.
  const limit = 24;
  let pace = startPace(256);
  const asked: number[] = [];
  for (let round = 0; round < 300; round++) {
    const { atOnce, epoch } = pace;
    asked.push(atOnce);
    for (let nth = 0; nth < atOnce; nth++) {
      pace = observe(pace, { outcome: nth < limit ? 'ok' : 'rate_limited', latencyMs: 20, epoch });
    }
  }
  const settled = asked.slice(50);
  expect(Math.max(...settled)).toBeLessThanOrEqual(limit + 1);
  expect(settled.reduce((sum, one) => sum + one, 0) / settled.length).toBeGreaterThan(limit * 0.6);
});
