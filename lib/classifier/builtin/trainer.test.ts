import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaUnderRoc } from './evaluator.ts';
import { BUCKET_COUNT } from './features.ts';
import { vectorsOf } from './fit.ts';
import { seededRandom, shuffledOrder } from './random.ts';
import { cellWeights, type Example, fitCalibration, logitOf, sigmoid, trainHead } from './trainer.ts';

const SETTINGS = { bucketCount: BUCKET_COUNT, epochs: 4, rate: 0.3, l2: 1e-4 };

const ANIMALS = ['cat', 'dog', 'horse', 'cow', 'hen'];
const TOOLS = ['hammer', 'saw', 'drill', 'file', 'plane'];

function toy(words: readonly string[], truth: 0 | 1): { text: string; truth: 0 | 1 }[] {
  return words.flatMap((word) =>
    ['I bought a', 'where is the', 'she sold her'].map((before) => ({ text: `${before} ${word}`, truth })),
  );
}

function examples(rows: readonly { text: string; truth: 0 | 1 }[]): Example[] {
  const vectors = vectorsOf(rows.map(({ text }) => text));
  return rows.flatMap(({ truth }, i) => {
    const vector = vectors[i];
    return vector === undefined ? [] : [{ vector, truth, weight: 1 }];
  });
}

describe('trainHead', () => {
  const rows = examples([...toy(ANIMALS, 1), ...toy(TOOLS, 0)]);

  test('learns to tell animals from tools in sentences it has not seen', () => {
    const head = trainHead(rows, SETTINGS, seededRandom(1));
    const unseen = examples([
      ...ANIMALS.map((word) => ({ text: `my old ${word}`, truth: 1 as const })),
      ...TOOLS.map((word) => ({ text: `my old ${word}`, truth: 0 as const })),
    ]);
    expect(areaUnderRoc(unseen.map(({ vector, truth }) => ({ score: logitOf(head, vector), truth })))).toBe(1);
  });

  test('gives the same head for the same seed and another for another', () => {
    const first = trainHead(rows, SETTINGS, seededRandom(1));
    expect(trainHead(rows, SETTINGS, seededRandom(1))).toEqual(first);
    expect(trainHead(rows, SETTINGS, seededRandom(2))).not.toEqual(first);
  });

  test('a stronger pull towards zero gives smaller weights', () => {
    const size = (l2: number) =>
      trainHead(rows, { ...SETTINGS, l2 }, seededRandom(1)).weights.reduce((sum, weight) => sum + weight * weight, 0);
    expect(size(0.1)).toBeLessThan(size(0) / 2);
  });

  test('a row that weighs nothing teaches nothing', () => {
    const silent = rows.map((row) => ({ ...row, weight: 0 }));
    expect(trainHead(silent, SETTINGS, seededRandom(1)).weights.every((weight) => weight === 0)).toBe(true);
  });

  test('nothing to learn from leaves every text undecided', () => {
    const head = trainHead([], SETTINGS, seededRandom(1));
    expect(rows.every(({ vector }) => logitOf(head, vector) === 0)).toBe(true);
  });
});

test('a large cell does not drown a small one, and the mean weight is one', () => {
  const weights = cellWeights(['big', 'big', 'big', 'big', 'small'], 0.5);
  expect((weights[4] ?? 0) / (weights[0] ?? 1)).toBeCloseTo(2, 10);
  expect(weights.reduce((sum, weight) => sum + weight, 0) / 5).toBeCloseTo(1, 10);
});

describe('fitCalibration', () => {
  test('finds the curve that made the truths', () => {
    const random = seededRandom(3);
    const logits = Array.from({ length: 20_000 }, () => 8 * random() - 4);
    const truths = logits.map((logit): 0 | 1 => (random() < sigmoid(2 * logit - 1) ? 1 : 0));
    const { slope, intercept } = fitCalibration(logits, truths, []);
    expect(slope).toBeCloseTo(2, 0);
    expect(intercept).toBeCloseTo(-1, 0);
  });
  test('stays finite where the classes do not overlap', () => {
    const { slope, intercept } = fitCalibration([-2, -1, 1, 2], [0, 0, 1, 1], []);
    expect(Number.isFinite(slope)).toBe(true);
    expect(Number.isFinite(intercept)).toBe(true);
    expect(slope).toBeGreaterThan(0);
  });
});

test('sigmoid stays within 0 and 1 for any finite logit, and is symmetric', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (logit) => {
      expect(sigmoid(logit)).toBeGreaterThanOrEqual(0);
      expect(sigmoid(logit)).toBeLessThanOrEqual(1);
      expect(sigmoid(logit) + sigmoid(-logit)).toBeCloseTo(1, 12);
    }),
  );
});

test('an order drawn from a seed holds each place once', () => {
  fc.assert(
    fc.property(fc.nat({ max: 200 }), fc.integer(), (count, seed) => {
      const order = shuffledOrder(count, seededRandom(seed));
      expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(shuffledOrder(count, seededRandom(seed))).toEqual(order);
    }),
  );
});
