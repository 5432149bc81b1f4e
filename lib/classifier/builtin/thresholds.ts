import { qualityAt } from './evaluator.ts';
import type { OutOfFold } from './fit.ts';
import type { BuiltinLabel } from './labels.ts';
import { EVERYDAY_SOURCE } from './seeds/rows.ts';

export type Support = 'low' | 'normal';

export interface SuggestedThresholds {
  readonly support: Support;
  readonly reviewAt: number;
  readonly restrictAt: number | null;
}

/** Below this many labelled positives to learn from, a label never proposes a restriction. */
export const MIN_POSITIVES_FOR_NORMAL = 500;

/**
 * The share of plain rows that may be sent to people for one label, averaged over sets so that none speaks for all. A
 * plain row is one that was collected for something else, in which the label is presumed absent, or one of our ordinary
 * sentences.
 *
 * The budgets are a choice about people's time: together they keep the queue of a forum of plain texts at about a tenth
 * of them. Where somebody may come to harm, a miss costs more than a look, so those labels get more.
 */
const REVIEW_ALARM_SHARE = { normal: 0.015, low: 0.02, harm: 0.03 } as const;

const HARM_LABELS: readonly BuiltinLabel[] = ['self_harm', 'threat', 'violence'];

/** The share of plain rows, averaged over sets, that may reach restrictAt. Some of them do deserve it. */
const RESTRICT_ALARM_SHARE = 0.005;
/** The lower end of the precision interval that restrictAt must reach in every set. */
const RESTRICT_PRECISION = 0.9;
/** A set with fewer flagged rows says too little to judge precision by. */
const MIN_FLAGGED_ROWS = 20;
/** A set with fewer plain rows says too little to judge alarms by. */
const MIN_PLAIN_ROWS = 100;

const GRID = Array.from({ length: 98 }, (_, i) => (i + 2) / 100);

function bySet(rows: readonly OutOfFold[]): OutOfFold[][] {
  const sets = new Map<string, OutOfFold[]>();
  for (const row of rows) {
    const known = sets.get(row.row.set);
    if (known === undefined) sets.set(row.row.set, [row]);
    else known.push(row);
  }
  return [...sets.values()];
}

function alarmShare(plainSets: readonly OutOfFold[][], threshold: number): number {
  const shares = plainSets.map((rows) => rows.filter(({ score }) => score >= threshold).length / rows.length);
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

function preciseInEverySet(labelled: readonly OutOfFold[], threshold: number): boolean {
  const judged = [[...labelled], ...bySet(labelled)]
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
export function suggestThresholds(label: BuiltinLabel, rows: readonly OutOfFold[]): SuggestedThresholds {
  const labelled = rows.filter(({ presumed }) => !presumed);
  const plain = bySet(rows.filter(({ row, presumed }) => presumed || row.source === EVERYDAY_SOURCE)).filter(
    (set) => set.length >= MIN_PLAIN_ROWS,
  );
  const positives = labelled.filter(({ truth }) => truth === 1).length;
  const support: Support = positives < MIN_POSITIVES_FOR_NORMAL ? 'low' : 'normal';
  const allowed = REVIEW_ALARM_SHARE[HARM_LABELS.includes(label) ? 'harm' : support];
  const reviewAt = GRID.find((at) => alarmShare(plain, at) <= allowed) ?? 0.99;
  if (support === 'low') return { support, reviewAt, restrictAt: null };
  const fits = (at: number) => alarmShare(plain, at) <= RESTRICT_ALARM_SHARE && preciseInEverySet(labelled, at);
  return { support, reviewAt, restrictAt: GRID.find((at) => at > reviewAt && fits(at)) ?? null };
}
