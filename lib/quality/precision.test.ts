import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FEW_BELOW, rate, tooFew } from './precision.ts';

describe('the interval agrees with published values', () => {
  // Wilson's score interval, 95%.
  test.each([
    [3, 3, 0.438503, 1],
    [19, 20, 0.763869, 0.991119],
    [21, 24, 0.689961, 0.956557],
    [875, 1000, 0.853056, 0.894074],
    [18, 20, 0.698966, 0.972134],
    [3, 100, 0.010255, 0.084519],
    [0, 10, 0, 0.277533],
  ])('%i of %i', (k, n, low, high) => {
    expect(rate(k, n).low).toBeCloseTo(low, 6);
    expect(rate(k, n).high).toBeCloseTo(high, 6);
  });
});

test('0 of 0 is no percentage, and 0 of 5 is', () => {
  expect(rate(0, 0)).toEqual({ k: 0, n: 0, value: null, low: null, high: null });
  expect(rate(0, 5).value).toBe(0);
});

test('the interval holds the share, stays within 0 and 1, and narrows as the sample grows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (n, seed) => {
      const k = seed % (n + 1);
      const { value, low, high } = rate(k, n) as { value: number; low: number; high: number };
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      expect(high).toBeLessThanOrEqual(1);
      const wider = rate(k * 4, n * 4) as { low: number; high: number };
      expect(wider.high - wider.low).toBeLessThan(high - low);
    }),
  );
});

test.each([
  [-1, 5],
  [6, 5],
  [1.5, 5],
  [Number.NaN, 5],
])('%d of %d is a bug of the caller', (k, n) => {
  expect(() => rate(k, n)).toThrow(RangeError);
});

test('few is said below the stated number and not from it on', () => {
  expect(tooFew({ n: FEW_BELOW - 1 })).toBe(true);
  expect(tooFew({ n: FEW_BELOW })).toBe(false);
});
