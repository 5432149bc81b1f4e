import { type Random, shuffledOrder } from './random.ts';

/** A text's features, kept: the buckets it has and the weight of each (see features.ts). */
export interface StoredVector {
  readonly buckets: Uint16Array;
  readonly weights: Float32Array;
}

/** One text for one label: 1 or 0, and how much it counts (1 is an ordinary row). */
export interface Example {
  readonly vector: StoredVector;
  readonly truth: 0 | 1;
  readonly weight: number;
}

export interface Head {
  readonly weights: Float32Array;
  readonly bias: number;
}

export interface TrainingSettings {
  readonly bucketCount: number;
  readonly epochs: number;
  readonly rate: number;
  /** Strength of the pull of a weight towards zero, applied whenever its feature is seen. */
  readonly l2: number;
}

export function sigmoid(logit: number): number {
  return logit >= 0 ? 1 / (1 + Math.exp(-logit)) : Math.exp(logit) / (1 + Math.exp(logit));
}

/** The uncalibrated logit of a text under a head. */
export function logitOf(head: Head, vector: StoredVector): number {
  let sum = head.bias;
  for (let i = 0; i < vector.buckets.length; i += 1) {
    sum += (head.weights[vector.buckets[i] ?? 0] ?? 0) * (vector.weights[i] ?? 0);
  }
  return sum;
}

/** Keeps the first AdaGrad step of a rare feature from being a leap. */
const ADAGRAD_START = 0.01;

/**
 * Fits one label by logistic regression with AdaGrad. Deterministic for given examples, settings and random sequence.
 *
 * @returns the head; all zeros where there are no examples
 */
export function trainHead(examples: readonly Example[], settings: TrainingSettings, random: Random): Head {
  const weights = new Float32Array(settings.bucketCount);
  const squares = new Float32Array(settings.bucketCount).fill(ADAGRAD_START);
  let bias = 0;
  let biasSquares = ADAGRAD_START;
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    for (const index of shuffledOrder(examples.length, random)) {
      const example = examples[index];
      if (example === undefined) continue;
      const { vector, truth, weight } = example;
      const error = (sigmoid(logitOf({ weights, bias }, vector)) - truth) * weight;
      for (let i = 0; i < vector.buckets.length; i += 1) {
        const bucket = vector.buckets[i] ?? 0;
        const now = weights[bucket] ?? 0;
        const gradient = error * (vector.weights[i] ?? 0) + settings.l2 * weight * now;
        const square = (squares[bucket] ?? 0) + gradient * gradient;
        squares[bucket] = square;
        weights[bucket] = now - (settings.rate * gradient) / Math.sqrt(square);
      }
      biasSquares += error * error;
      bias -= (settings.rate * error) / Math.sqrt(biasSquares);
    }
  }
  return { weights, bias };
}

/**
 * Weights of rows by the size of their cell (a label, set and class): a cell of n rows counts as n^exponent, so that a
 * large set does not decide alone what a label means. The mean weight is one.
 */
export function cellWeights(cells: readonly string[], exponent: number): number[] {
  const sizes = new Map<string, number>();
  for (const cell of cells) sizes.set(cell, (sizes.get(cell) ?? 0) + 1);
  const raw = cells.map((cell) => (sizes.get(cell) ?? 1) ** (exponent - 1));
  const mean = raw.reduce((sum, weight) => sum + weight, 0) / Math.max(1, raw.length);
  return raw.map((weight) => weight / mean);
}

/** p = sigmoid(slope * logit + intercept). */
export interface Calibration {
  readonly slope: number;
  readonly intercept: number;
}

const PLATT_STEPS = 100;
const PLATT_RIDGE = 1e-6;

/**
 * Platt scaling: the logistic curve from logits to probabilities that fits the given truths best, by Newton's method on
 * smoothed targets. The logits must come from heads that did not see these rows, or the curve flatters.
 */
export function fitCalibration(
  logits: readonly number[],
  truths: readonly (0 | 1)[],
  weights: readonly number[],
): Calibration {
  let positives = 0;
  let negatives = 0;
  for (const truth of truths) {
    if (truth === 1) positives += 1;
    else negatives += 1;
  }
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  let slope = 1;
  let intercept = 0;
  for (let iteration = 0; iteration < PLATT_STEPS; iteration += 1) {
    let g0 = PLATT_RIDGE * slope;
    let g1 = 0;
    let h00 = PLATT_RIDGE;
    let h01 = 0;
    let h11 = PLATT_RIDGE;
    for (let i = 0; i < logits.length; i += 1) {
      const x = logits[i] ?? 0;
      const p = sigmoid(slope * x + intercept);
      const weight = weights[i] ?? 1;
      const error = (p - (truths[i] === 1 ? high : low)) * weight;
      const curve = p * (1 - p) * weight;
      g0 += error * x;
      g1 += error;
      h00 += curve * x * x;
      h01 += curve * x;
      h11 += curve;
    }
    const determinant = h00 * h11 - h01 * h01;
    const d0 = (h11 * g0 - h01 * g1) / determinant;
    const d1 = (h00 * g1 - h01 * g0) / determinant;
    slope -= d0;
    intercept -= d1;
    if (Math.abs(d0) + Math.abs(d1) < 1e-9) break;
  }
  return { slope, intercept };
}
