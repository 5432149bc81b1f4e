import { createFeatureExtractor } from './features.ts';
import { type NgramModel, shareOfByte } from './model.ts';
import { sigmoid } from './trainer.ts';

export interface Scorer {
  readonly labels: readonly string[];
  /** Calibrated scores, one for each label, each in [0, 1]. */
  readonly score: (text: string) => Record<string, number>;
}

/** Scores keep six decimals: more is noise of the summation, and would differ between machines. */
const SCORE_STEPS = 1_000_000;

/**
 * Makes a scorer from a parsed model. It unpacks the weights once (4 bytes a weight, 2 MiB for eight labels) and is
 * deterministic: the same model and text give the same scores.
 *
 * @returns a scorer for one caller at a time (it is synchronous, so a process can share one); any string is accepted,
 * in time linear in its length
 */
export function createScorer(model: NgramModel): Scorer {
  const { heads } = model;
  const size = heads.length;
  const shares = new Float32Array(256);
  for (let byte = -128; byte < 128; byte += 1) shares[byte & 255] = shareOfByte(byte);
  const weights = new Float32Array(model.bytes.length);
  for (let i = 0; i < weights.length; i += 1) {
    weights[i] = (shares[(model.bytes[i] ?? 0) & 255] ?? 0) * (heads[i % size]?.scale ?? 0);
  }
  const extract = createFeatureExtractor();
  const sums = new Float64Array(size);

  function score(text: string): Record<string, number> {
    const vector = extract(text);
    sums.fill(0);
    for (let i = 0; i < vector.count; i += 1) {
      const row = (vector.buckets[i] ?? 0) * size;
      const weight = vector.weights[i] ?? 0;
      for (let at = 0; at < size; at += 1) sums[at] = (sums[at] ?? 0) + weight * (weights[row + at] ?? 0);
    }
    const scores: Record<string, number> = {};
    heads.forEach(({ label, bias, slope, intercept }, at) => {
      const probability = sigmoid(slope * ((sums[at] ?? 0) + bias) + intercept);
      scores[label] = Math.round(probability * SCORE_STEPS) / SCORE_STEPS;
    });
    return scores;
  }

  return { labels: heads.map((head) => head.label), score };
}
