import { type CorpusRow, foldOf, trainingTruth } from './corpus.ts';
import { BUCKET_COUNT, createFeatureExtractor } from './features.ts';
import type { BuiltinLabel } from './labels.ts';
import { seededRandom } from './random.ts';
import {
  type Calibration,
  cellWeights,
  type Example,
  fitCalibration,
  type Head,
  logitOf,
  type StoredVector,
  sigmoid,
  trainHead,
} from './trainer.ts';

/** How one label is fitted. Chosen by cross-validation on the training part only. */
export interface FitSettings {
  readonly seed: number;
  readonly foldCount: number;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: Readonly<Record<BuiltinLabel, number>>;
  /** A cell (label, source, class) of n rows counts as n to this power. */
  readonly cellExponent: number;
  /** What a row counts whose label is presumed absent, beside one that people labelled. */
  readonly presumedWeight: Readonly<Record<BuiltinLabel, number>>;
}

export const FIT_SETTINGS: FitSettings = {
  seed: 20261130,
  foldCount: 5,
  epochs: 4,
  rate: 0.3,
  l2: {
    harassment: 3e-3,
    hate: 1e-3,
    self_harm: 1e-2,
    sexual: 1e-2,
    spam: 1e-3,
    threat: 1e-3,
    toxicity: 1e-3,
    violence: 3e-3,
  },
  cellExponent: 0.65,
  presumedWeight: {
    harassment: 1,
    hate: 3,
    self_harm: 1,
    sexual: 1,
    spam: 0.3,
    threat: 3,
    toxicity: 1,
    violence: 3,
  },
};

/** A training row with the score a model gave that had not seen it (nor its near-duplicates). */
export interface OutOfFold {
  readonly row: CorpusRow;
  readonly score: number;
  readonly truth: 0 | 1;
  readonly presumed: boolean;
}

export interface FittedLabel {
  readonly label: BuiltinLabel;
  readonly head: Head;
  readonly calibration: Calibration;
  readonly outOfFold: readonly OutOfFold[];
}

/** The feature vectors of texts, kept apart from the extractor's scratch space. */
export function vectorsOf(texts: readonly string[]): StoredVector[] {
  const extract = createFeatureExtractor();
  return texts.map((text) => {
    const { buckets, weights, count } = extract(text);
    return { buckets: buckets.slice(0, count), weights: weights.slice(0, count) };
  });
}

/**
 * Fits one label: a head on all rows given, and the calibration from scores that each row got from a head trained
 * without its fold. Deterministic for rows and settings.
 *
 * @param vectors the features of `rows`, in their order
 */
export function fitLabel(
  label: BuiltinLabel,
  rows: readonly CorpusRow[],
  vectors: readonly StoredVector[],
  settings: FitSettings,
): FittedLabel {
  const known = rows.flatMap((row, i) => {
    const said = trainingTruth(row, label);
    const vector = vectors[i];
    return said === null || vector === undefined
      ? []
      : [{ row, vector, fold: foldOf(row, settings.foldCount), ...said }];
  });
  const cells = cellWeights(
    known.map(({ row, truth, presumed }) => `${row.source} ${truth} ${presumed}`),
    settings.cellExponent,
  );
  const weights = cells.map((weight, i) => (known[i]?.presumed ? weight * settings.presumedWeight[label] : weight));
  const examples: Example[] = known.map(({ vector, truth }, i) => ({ vector, truth, weight: weights[i] ?? 1 }));
  const training = { bucketCount: BUCKET_COUNT, epochs: settings.epochs, rate: settings.rate, l2: settings.l2[label] };

  const logits = new Array<number>(known.length).fill(0);
  for (let fold = 0; fold < settings.foldCount; fold += 1) {
    const others = examples.filter((_, i) => known[i]?.fold !== fold);
    const head = trainHead(others, training, seededRandom(settings.seed));
    known.forEach(({ vector, fold: own }, i) => {
      if (own === fold) logits[i] = logitOf(head, vector);
    });
  }
  const calibration = fitCalibration(
    logits,
    known.map(({ truth }) => truth),
    weights,
  );
  return {
    label,
    head: trainHead(examples, training, seededRandom(settings.seed)),
    calibration,
    outOfFold: known.map(({ row, truth, presumed }, i) => ({
      row,
      truth,
      presumed,
      score: sigmoid(calibration.slope * (logits[i] ?? 0) + calibration.intercept),
    })),
  };
}
