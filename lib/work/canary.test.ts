import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allotCanary, CANARY_BOUNDS, strataCount } from './canary.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

describe('a canary', () => {
  it.each([
    [2, 1],
    [7, 1],
    [8, 2],
    [39, 9],
    [40, 10],
    [10_000, 10],
  ])('of %i is drawn from %i quantiles of length', (n, strata) => {
    expect(strataCount(n)).toBe(strata);
  });

  it('draws two of every quantile and the rest where the bytes are', () => {
    const strata = [100, 100, 800].map((bytes, at) => ({ stratum: at + 1, count: 50, bytes: bytes * 50 }));
    const drawn = allotCanary(strata, 20);
    expect(sum(drawn)).toBe(20);
    expect(drawn[2]).toBeGreaterThan(13);
    expect(Math.min(...drawn)).toBe(2);
  });

  it('never takes more than there are, and always as many as were asked for or all', () => {
    const counts = fc.array(fc.record({ count: fc.integer({ min: 1, max: 60 }), bytes: fc.nat(1e9) }), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(counts, fc.integer({ min: CANARY_BOUNDS.min, max: 200 }), (given, n) => {
        const strata = given.map((one, at) => ({ stratum: at + 1, ...one }));
        const drawn = allotCanary(strata, n);
        expect(sum(drawn)).toBe(Math.min(n, sum(strata.map(({ count }) => count))));
        for (const [at, { count }] of strata.entries()) {
          expect(drawn[at]).toBeGreaterThanOrEqual(0);
          expect(drawn[at]).toBeLessThanOrEqual(count);
        }
      }),
    );
  });
});
