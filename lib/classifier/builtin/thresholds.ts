import { qualityAt } from './evaluator.ts';
import type { OutOfFold } from './fit.ts';

export type Support = 'low' | 'normal';

export interface SuggestedThresholds {
  readonly support: Support;
  readonly reviewAt: number;
  readonly restrictAt: number | null;
}

/** Below this many labelled positives to learn from, a label never proposes a restriction. */
export const MIN_POSITIVES_FOR_NORMAL = 400;

/**
 * The share of plain rows (texts collected for something else, in which the label is presumed absent) that may be sent
 * to people for one label. Labels with low support get more, because what they miss is dear and seen by nobody.
 */
const REVIEW_ALARM_SHARE: Readonly<Record<Support, number>> = { normal: 0.03, low: 0.05 };

/** The share of plain rows that may reach restrictAt. */
const RESTRICT_ALARM_SHARE = 0.005;
/** The lower end of the precision interval that restrictAt must reach in every set. */
const RESTRICT_PRECISION = 0.9;
/** A set with fewer flagged rows says too little to judge a threshold by. */
const MIN_FLAGGED_ROWS = 20;

const GRID = Array.from({ length: 98 }, (_, i) => (i + 2) / 100);

function alarmShare(plain: readonly OutOfFold[], threshold: number): number {
  return plain.filter(({ score }) => score >= threshold).length / Math.max(1, plain.length);
}

function preciseInEverySet(labelled: readonly OutOfFold[], threshold: number): boolean {
  const sets = [...new Set(labelled.map(({ row }) => row.set))];
  const judged = [labelled, ...sets.map((set) => labelled.filter(({ row }) => row.set === set))]
    .map((rows) => qualityAt(rows, threshold).precision)
    .filter(({ count }) => count >= MIN_FLAGGED_ROWS);
  return judged.length > 0 && judged.every(({ interval }) => (interval?.low ?? 0) >= RESTRICT_PRECISION);
}

/**
 * Suggests thresholds for a label from scores that training rows got out of fold; held-back rows take no part.
 *
 * @returns reviewAt: the lowest score in hundredths at which few enough plain rows are sent to people. restrictAt: the
 * lowest at and above which precision is high in every set and plain rows are spared; null where there is none, or
 * where the label has low support.
 */
export function suggestThresholds(rows: readonly OutOfFold[]): SuggestedThresholds {
  const labelled = rows.filter(({ presumed }) => !presumed);
  const plain = rows.filter(({ presumed }) => presumed);
  const positives = labelled.filter(({ truth }) => truth === 1).length;
  const support: Support = positives < MIN_POSITIVES_FOR_NORMAL ? 'low' : 'normal';
  const reviewAt = GRID.find((at) => alarmShare(plain, at) <= REVIEW_ALARM_SHARE[support]) ?? 0.99;
  if (support === 'low') return { support, reviewAt, restrictAt: null };
  const fits = (at: number) => alarmShare(plain, at) <= RESTRICT_ALARM_SHARE && preciseInEverySet(labelled, at);
  return { support, reviewAt, restrictAt: GRID.find((at) => at > reviewAt && fits(at)) ?? null };
}
