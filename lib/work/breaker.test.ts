import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '../classifier/failure.ts';
import {
  afterCall,
  allowed,
  BREAKER_COOL_MAX_MS,
  BREAKER_PROBES_MAX,
  BREAKER_TRIP_COUNT,
  type Breaker,
  CLOSED,
  cooled,
} from './breaker.ts';

const call = (breaker: Breaker, outcome: 'ok' | FailureCode, trip = breaker.trip) =>
  afterCall(breaker, { outcome, trip }, 0.5);
const faults = (count: number): Breaker => {
  let breaker = CLOSED;
  for (let nth = 0; nth < count; nth++) breaker = call(breaker, 'timeout').breaker;
  return breaker;
};

describe('while a service is down nothing is asked of it', () => {
  test('faults in a row open it, one fewer does not', () => {
    expect(faults(BREAKER_TRIP_COUNT - 1).state).toBe('closed');
    expect(faults(BREAKER_TRIP_COUNT)).toMatchObject({ state: 'open', trip: 1, probes: 0 });
  });

  test.each<['ok' | FailureCode]>([['ok'], ['invalid_json'], ['refused'], ['provider_filtered_input']])(
    '%s between them shows that the service is there',
    (outcome) => {
      expect(call(faults(BREAKER_TRIP_COUNT - 1), outcome).breaker).toMatchObject({ state: 'closed', faults: 0 });
    },
  );

  test('a service that limits its rate and names no time is left alone like one that is down', () => {
    let breaker = CLOSED;
    for (let nth = 0; nth < BREAKER_TRIP_COUNT; nth++) breaker = call(breaker, 'rate_limited').breaker;
    expect(breaker.state).toBe('open');
  });

  test('open allows no call, probing one, closed the pace', () => {
    const open = faults(BREAKER_TRIP_COUNT);
    expect([allowed(open, 8), allowed(cooled(open), 8), allowed(CLOSED, 8)]).toEqual([0, 1, 8]);
  });

  test('a service that names a time is left alone until then by everybody, to a limit, and that is no failed probe', () => {
    const limited = (breaker: Breaker, retryAfterMs: number) =>
      afterCall(breaker, { outcome: 'rate_limited', trip: breaker.trip, retryAfterMs }, 0);
    expect(limited(CLOSED, 4_000)).toMatchObject({
      breaker: { state: 'open', coolMs: 4_000, probes: 0 },
      pause: false,
    });
    expect(limited(CLOSED, 3_600_000).breaker).toMatchObject({ coolMs: BREAKER_COOL_MAX_MS });
    const again = limited(cooled(limited(CLOSED, 4_000).breaker), 2_000);
    expect(again).toMatchObject({ breaker: { state: 'open', coolMs: 2_000, probes: 0 }, pause: false });
  });

  test('a probe that is answered closes it', () => {
    expect(call(cooled(faults(BREAKER_TRIP_COUNT)), 'ok').breaker.state).toBe('closed');
  });

  test('calls from before it opened that fail late count as no probe', () => {
    const probing = cooled(faults(BREAKER_TRIP_COUNT));
    expect(call(probing, 'timeout', 0)).toEqual({ breaker: probing, pause: false });
  });

  test('a call from before it opened that is answered late closes it', () => {
    expect(call(faults(BREAKER_TRIP_COUNT), 'ok', 0).breaker.state).toBe('closed');
  });

  test('each failed probe waits twice as long, to a limit, and the last pauses the run', () => {
    let breaker = faults(BREAKER_TRIP_COUNT);
    const waits: number[] = [];
    const pauses: boolean[] = [];
    for (let probe = 0; probe < BREAKER_PROBES_MAX; probe++) {
      waits.push(breaker.state === 'open' ? breaker.coolMs : -1);
      const after = call(cooled(breaker), 'transport_error');
      breaker = after.breaker;
      pauses.push(after.pause);
    }
    expect(waits).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500]);
    expect(pauses).toEqual([false, false, false, false, false, true]);
  });
});

test('whatever comes, it waits above zero and at most its limit, and pauses only while probing', () => {
  const outcome = fc.constantFrom('ok' as const, ...(Object.keys(FAILURES) as FailureCode[]));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(outcome, fc.boolean(), fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(2))),
      (steps) => {
        let breaker = CLOSED;
        for (const [what, cool, random, behind] of steps) {
          if (cool) breaker = cooled(breaker);
          const before = breaker;
          const after = afterCall(breaker, { outcome: what, trip: breaker.trip - behind }, random);
          if (after.pause) expect(before.state).toBe('probing');
          breaker = after.breaker;
          if (breaker.state === 'open') {
            expect(breaker.coolMs).toBeGreaterThan(0);
            expect(breaker.coolMs).toBeLessThanOrEqual(BREAKER_COOL_MAX_MS);
          }
        }
      },
    ),
  );
});
