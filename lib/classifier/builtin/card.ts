import { z } from 'zod';
import { BUILTIN_LABELS } from './labels.ts';

const share = z.number().min(0).max(1);
const count = z.int().nonnegative();
const interval = z.strictObject({ low: share, high: share });
const rate = z.strictObject({ hits: count, count, share: share.nullable(), interval: interval.nullable() });

const atThreshold = z.strictObject({
  threshold: share,
  tp: count,
  fp: count,
  fn: count,
  tn: count,
  precision: rate,
  recall: rate,
  falseAlarms: rate,
});

/** Quality on held-back rows with gold for the label; stratum null is all of them, else a set or a source. */
const stratum = z.strictObject({
  stratum: z.string().nullable(),
  rows: count,
  positives: count,
  auc: share.nullable(),
  averagePrecision: share.nullable(),
  calibrationError: share.nullable(),
  review: atThreshold,
  restrict: atThreshold.nullable(),
});

const cardLabel = z.strictObject({
  label: z.enum(BUILTIN_LABELS),
  support: z.enum(['low', 'normal']),
  reviewAt: share,
  restrictAt: share.nullable(),
  training: z.strictObject({ positives: count, negatives: count, presumedAbsent: count }),
  heldBack: z.array(stratum).min(1),
  calibration: z.array(z.strictObject({ from: share, to: share, count, meanScore: share, positiveShare: share })),
});

const source = z.strictObject({
  set: z.string(),
  title: z.string(),
  origin: z.string(),
  licence: z.string(),
  licenceConfirmed: z.boolean(),
  trainingRows: count,
  heldBackRows: count,
});

/** What is known of the shipped weights. Written by the training script, never by hand. */
export const modelCardSchema = z.strictObject({
  schema: z.literal('docket.model-card/1'),
  /** SHA-256 of the weights file, in hex. */
  modelId: z.string().regex(/^[0-9a-f]{64}$/),
  features: z.string(),
  weightsBytes: count,
  split: z.strictObject({ seed: count, share, trainingRows: count, heldBackRows: count, droppedRows: count }),
  settings: z.strictObject({
    seed: count,
    foldCount: count,
    epochs: count,
    rate: z.number(),
    l2: z.record(z.enum(BUILTIN_LABELS), z.number()),
    cellExponent: z.number(),
    presumedWeight: z.record(z.enum(BUILTIN_LABELS), z.number()),
  }),
  sources: z.array(source),
  labels: z.array(cardLabel).length(BUILTIN_LABELS.length),
  /** What the suggested thresholds do with held-back rows, for each set and source. */
  verdicts: z.array(z.strictObject({ source: z.string(), rows: count, allow: count, review: count, restrict: count })),
  disguises: z.array(z.strictObject({ name: z.string(), recall: rate })),
  probes: z.array(
    z.strictObject({
      label: z.enum(BUILTIN_LABELS),
      expected: z.boolean(),
      kind: z.string(),
      text: z.string(),
      score: share,
      flagged: z.boolean(),
    }),
  ),
  /** A functional test suite that took no part in training: hate at its reviewAt, for each function. */
  functions: z.array(z.strictObject({ name: z.string(), hateful: z.boolean(), correct: rate })),
});

export type ModelCard = z.infer<typeof modelCardSchema>;
export type CardLabel = ModelCard['labels'][number];
export type CardStratum = CardLabel['heldBack'][number];
