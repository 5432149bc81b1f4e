import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaUnderRoc,
  averagePrecision,
  calibrationBins,
  calibrationError,
  confusionAt,
  qualityAt,
  type Scored,
} from './evaluator.ts';

function rows(...pairs: readonly (readonly [number, 0 | 1])[]): Scored[] {
  return pairs.map(([score, truth]) => ({ score, truth }));
}

describe('areaUnderRoc', () => {
  test('is the share of pairs in the right order, a tie counting half', () => {
    // Positives .9 .5, negatives .5 .1: right, right, tie, right.
    expect(areaUnderRoc(rows([0.9, 1], [0.5, 1], [0.5, 0], [0.1, 0]))).toBe(0.875);
  });
  test.each([
    ['perfect order', rows([0.9, 1], [0.1, 0]), 1],
    ['perfect disorder', rows([0.9, 0], [0.1, 1]), 0],
    ['all the same', rows([0.5, 1], [0.5, 0], [0.5, 0]), 0.5],
    ['one class only', rows([0.9, 1], [0.1, 1]), null],
    ['nothing', [], null],
  ])('%s', (_, given, expected) => {
    expect(areaUnderRoc(given)).toBe(expected);
  });
  test('agrees with counting every pair', () => {
    const scored = fc.record({ score: fc.integer({ min: 0, max: 9 }), truth: fc.constantFrom(0 as const, 1 as const) });
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 40 }), (given) => {
        let right = 0;
        let pairs = 0;
        for (const p of given.filter(({ truth }) => truth === 1)) {
          for (const n of given.filter(({ truth }) => truth === 0)) {
            pairs += 1;
            right += p.score > n.score ? 1 : p.score === n.score ? 0.5 : 0;
          }
        }
        const area = areaUnderRoc(given);
        if (pairs === 0) expect(area).toBeNull();
        else expect(area).toBeCloseTo(right / pairs, 10);
      }),
    );
  });
});

describe('averagePrecision', () => {
  test('is the mean precision at each positive', () => {
    // In falling order: 1 0 1 0, so (1/1 + 2/3) / 2.
    expect(averagePrecision(rows([0.9, 1], [0.8, 0], [0.7, 1], [0.6, 0]))).toBeCloseTo(5 / 6, 10);
  });
  test('takes tied scores as one step: their order in the list must not matter', () => {
    expect(averagePrecision(rows([0.5, 1], [0.5, 0]))).toBe(0.5);
    expect(averagePrecision(rows([0.5, 0], [0.5, 1]))).toBe(0.5);
  });
  test('is nothing without positives', () => {
    expect(averagePrecision(rows([0.5, 0]))).toBeNull();
  });
});

describe('at a threshold', () => {
  const given = rows([0.9, 1], [0.5, 0], [0.5, 1], [0.2, 1], [0.1, 0]);
  test('a score equal to it is positive, as in a policy rule', () => {
    expect(confusionAt(given, 0.5)).toEqual({ tp: 2, fp: 1, fn: 1, tn: 1 });
  });
  test('precision, recall and false alarms follow', () => {
    const quality = qualityAt(given, 0.5);
    expect(quality.precision.share).toBeCloseTo(2 / 3, 10);
    expect(quality.recall.share).toBeCloseTo(2 / 3, 10);
    expect(quality.falseAlarms.share).toBe(0.5);
  });
  test('a precision of no flagged rows is unknown, not 0 and not 1', () => {
    expect(qualityAt(given, 0.95).precision).toEqual({ hits: 0, count: 0, share: null, interval: null });
  });
});

describe('calibration', () => {
  test('the error is the gap between promise and truth, weighted by rows', () => {
    // Band .8 to .9: mean .8, half true, 2 rows. Band 0 to .1: mean 0, none true, 2 rows.
    expect(calibrationError(rows([0.8, 1], [0.8, 0], [0, 0], [0, 0]))).toBeCloseTo(0.15, 10);
    expect(calibrationError([])).toBeNull();
  });
  test('a score of exactly 1 falls into the last band, and empty bands are left out', () => {
    expect(calibrationBins(rows([1, 1]))).toEqual([{ from: 0.9, to: 1, count: 1, meanScore: 1, positiveShare: 1 }]);
  });
});
