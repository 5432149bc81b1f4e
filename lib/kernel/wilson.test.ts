import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wilsonInterval } from './wilson.ts';

describe('wilsonInterval', () => {
  // With z = 1.959964: for 0 of n the upper end is z²/(n+z²), for n of n the lower end is n/(n+z²).
  test.each([
    [0, 10, 0, 0.27753],
    [10, 10, 0.72247, 1],
    [5, 10, 0.23659, 0.76341],
    [1, 1, 0.20655, 1],
    [90, 100, 0.82563, 0.94477],
  ])('%i of %i lies between %f and %f', (hits, count, low, high) => {
    expect(wilsonInterval(hits, count)?.low).toBeCloseTo(low, 4);
    expect(wilsonInterval(hits, count)?.high).toBeCloseTo(high, 4);
  });
  test('says nothing about nothing', () => {
    expect(wilsonInterval(0, 0)).toBeNull();
  });
  test('holds the share and stays within 0 and 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(), (count, any) => {
        const hits = any % (count + 1);
        const interval = wilsonInterval(hits, count);
        expect(interval?.low).toBeGreaterThanOrEqual(0);
        expect(interval?.high).toBeLessThanOrEqual(1);
        expect(interval?.low).toBeLessThanOrEqual(hits / count);
        expect(interval?.high).toBeGreaterThanOrEqual(hits / count);
      }),
    );
  });
});
