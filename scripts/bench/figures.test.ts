import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keeps, median, percentile, readable, rotated } from './figures.ts';

test('the median is the middle, or between the two middle ones', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow('nothing');
});

test('a percentile is a value that was measured and that the share does not exceed', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.95)).toBe(5);
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (all, share) => {
        const value = percentile(all, share);
        expect(all).toContain(value);
        expect(all.filter((one) => one <= value).length).toBeGreaterThanOrEqual(share * all.length - 1e-9);
      },
    ),
  );
});

test('over as many rounds as there are contenders each of them comes first once', () => {
  const all = ['a', 'b', 'c'];
  expect(all.map((_, round) => rotated(all, round)[0]).sort()).toEqual(all);
  expect(rotated(all, 4)).toEqual(['b', 'c', 'a']);
});

test('a gate is kept at its very bound', () => {
  expect([keeps(0.8, { least: 0.8 }), keeps(0.79, { least: 0.8 })]).toEqual([true, false]);
  expect([keeps(40, { most: 40 }), keeps(41, { most: 40 })]).toEqual([true, false]);
});

test('a figure has three digits that count', () => {
  expect([12_345.6, 999.4, 12.34, 1.234, 0.5].map(readable)).toEqual(['12,346', '999', '12.3', '1.23', '0.50']);
});
