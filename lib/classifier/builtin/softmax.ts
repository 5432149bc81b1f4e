import { type Random, shuffledOrder } from './random.ts';
import type { Head, StoredVector } from './trainer.ts';
import { logitOf } from './trainer.ts';

/** One document for one facet: which of the tags is true, by its place, and how much it counts. */
export type TagExample = { readonly vector: StoredVector; readonly truth: number; readonly weight: number };

export type SoftmaxSettings = {
  readonly bucketCount: number;
  readonly epochs: number;
  readonly rate: number;
  /** Strength of the pull of a weight towards zero, applied whenever its feature is seen. */
  readonly l2: number;
};

/** Keeps the first AdaGrad step of a rare feature from being a leap. */
const ADAGRAD_START = 0.01;

/** @returns shares that sum to one; the largest logit gives the largest. */
export function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Fits tags that exclude each other by multinomial logistic regression with AdaGrad. Deterministic for given examples,
 * settings and random sequence.
 * @returns one head a tag, in their order.
 */
export function trainSoftmax(
  examples: readonly TagExample[],
  tagCount: number,
  settings: SoftmaxSettings,
  random: Random,
): Head[] {
  const fits = Array.from({ length: tagCount }, () => ({
    weights: new Float32Array(settings.bucketCount),
    squares: new Float32Array(settings.bucketCount).fill(ADAGRAD_START),
    bias: 0,
    biasSquares: ADAGRAD_START,
  }));
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    for (const index of shuffledOrder(examples.length, random)) {
      const example = examples[index];
      if (example === undefined) continue;
      const { vector, truth, weight } = example;
      const shares = softmax(fits.map((fit) => logitOf(fit, vector)));
      for (const [tag, fit] of fits.entries()) {
        const error = ((shares[tag] ?? 0) - (tag === truth ? 1 : 0)) * weight;
        step(fit, vector, error, settings);
        fit.biasSquares += error * error;
        fit.bias -= (settings.rate * error) / Math.sqrt(fit.biasSquares);
      }
    }
  }
  return fits.map(({ weights, bias }) => ({ weights, bias }));
}

function step(
  fit: { weights: Float32Array; squares: Float32Array },
  vector: StoredVector,
  error: number,
  { rate, l2 }: SoftmaxSettings,
): void {
  for (let i = 0; i < vector.buckets.length; i += 1) {
    const bucket = vector.buckets[i] ?? 0;
    const now = fit.weights[bucket] ?? 0;
    const gradient = error * (vector.weights[i] ?? 0) + l2 * now;
    const square = (fit.squares[bucket] ?? 0) + gradient * gradient;
    fit.squares[bucket] = square;
    fit.weights[bucket] = now - (rate * gradient) / Math.sqrt(square);
  }
}
