import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ratioOf, reserveUnits } from './estimate.ts';

describe('what one attempt reserves', () => {
  it.each([
    ['before anything is measured a byte is a unit', { contentBytes: 100, overheadBytes: 50, ratio: null }, 150],
    ['what was measured scales the whole request', { contentBytes: 100, overheadBytes: 60, ratio: 0.25 }, 40],
    ['a part of a unit counts as one', { contentBytes: 10, overheadBytes: 0, ratio: 0.25 }, 3],
    ['nothing is never reserved', { contentBytes: 0, overheadBytes: 0, ratio: null }, 1],
  ])('%s', (_, weight, units) => {
    expect(reserveUnits(weight)).toBe(units);
  });

  it('is a whole number and never falls when the text grows', () => {
    const bytes = fc.nat(2 ** 21);
    const ratio = fc.option(fc.double({ min: 1e-6, max: 10, noNaN: true }), { nil: null });
    fc.assert(
      fc.property(bytes, bytes, bytes, ratio, (contentBytes, more, overheadBytes, measured) => {
        const less = reserveUnits({ contentBytes, overheadBytes, ratio: measured });
        expect(Number.isSafeInteger(less)).toBe(true);
        const grown = reserveUnits({ contentBytes: contentBytes + more, overheadBytes, ratio: measured });
        expect(grown).toBeGreaterThanOrEqual(less);
      }),
    );
  });
});

describe('what a byte costs', () => {
  it('is unknown while nothing was measured', () => {
    expect(ratioOf({ units: 0, requestBytes: 0 })).toBeNull();
    expect(ratioOf({ units: 5, requestBytes: 0 })).toBeNull();
    expect(ratioOf({ units: 0, requestBytes: 5 })).toBeNull();
  });

  it('is what was measured', () => {
    expect(ratioOf({ units: 50, requestBytes: 200 })).toBe(0.25);
  });
});
