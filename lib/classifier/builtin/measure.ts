import type { CardLabel, CardStratum, ModelCard } from './card.ts';
import { type CorpusRow, type LabelledRow, trainingTruth } from './corpus.ts';
import { DISGUISES } from './disguise.ts';
import {
  areaUnderRoc,
  averagePrecision,
  calibrationBins,
  calibrationError,
  qualityAt,
  type Rate,
  rateOf,
  type Scored,
} from './evaluator.ts';
import type { BuiltinLabel } from './labels.ts';
import { PROBES } from './probes.ts';
import type { Scorer } from './scorer.ts';
import type { SuggestedThresholds } from './thresholds.ts';

/** A held-back row with the scores of the finished model: the packed weights, as they ship. */
export interface MeasuredRow {
  readonly row: CorpusRow;
  readonly scores: Readonly<Record<string, number>>;
}

export type Thresholds = ReadonlyMap<BuiltinLabel, SuggestedThresholds>;

const DECIMALS = 10_000;

/** Numbers of a card keep four decimals: more would pretend, and would differ between machines. */
export function rounded<T>(value: T): T {
  if (typeof value === 'number')
    return (Number.isInteger(value) ? value : Math.round(value * DECIMALS) / DECIMALS) as T;
  if (Array.isArray(value)) return value.map((item) => rounded(item)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)])) as T;
  }
  return value;
}

/** Names of the strata of rows: all (null), each set, and each source of a set that has several. */
function strataOf(rows: readonly CorpusRow[]): (string | null)[] {
  const strata: (string | null)[] = [null];
  for (const set of [...new Set(rows.map((row) => row.set))].sort()) {
    strata.push(set);
    const sources = [...new Set(rows.filter((row) => row.set === set).map((row) => row.source))].sort();
    if (sources.length > 1) strata.push(...sources);
  }
  return strata;
}

function inStratum(row: CorpusRow, stratum: string | null): boolean {
  return stratum === null || row.set === stratum || row.source === stratum;
}

function measureStratum(stratum: string | null, rows: readonly Scored[], at: SuggestedThresholds): CardStratum {
  return {
    stratum,
    rows: rows.length,
    positives: rows.filter(({ truth }) => truth === 1).length,
    auc: areaUnderRoc(rows),
    averagePrecision: averagePrecision(rows),
    calibrationError: calibrationError(rows),
    review: qualityAt(rows, at.reviewAt),
    restrict: at.restrictAt === null ? null : qualityAt(rows, at.restrictAt),
  };
}

/** The card's entry for a label: what it learned from, and its quality on held-back rows with gold, by stratum. */
export function measureLabel(
  label: BuiltinLabel,
  at: SuggestedThresholds,
  training: readonly CorpusRow[],
  heldBack: readonly MeasuredRow[],
): CardLabel {
  const learned = training.flatMap((row) => trainingTruth(row, label) ?? []);
  const judged = heldBack.flatMap(({ row, scores }) => {
    const truth = row.gold[label];
    const score = scores[label];
    return truth === undefined || score === undefined ? [] : [{ row, truth, score }];
  });
  return {
    label,
    ...at,
    training: {
      positives: learned.filter(({ truth }) => truth === 1).length,
      negatives: learned.filter(({ truth, presumed }) => truth === 0 && !presumed).length,
      presumedAbsent: learned.filter(({ presumed }) => presumed).length,
    },
    heldBack: strataOf(judged.map(({ row }) => row)).map((stratum) =>
      measureStratum(
        stratum,
        judged.filter(({ row }) => inStratum(row, stratum)),
        at,
      ),
    ),
    calibration: calibrationBins(judged),
  };
}

/** What the thresholds make of a text's scores; the strictest label decides. */
export function verdictOf(
  scores: Readonly<Record<string, number>>,
  thresholds: Thresholds,
): 'allow' | 'review' | 'restrict' {
  let verdict: 'allow' | 'review' = 'allow';
  for (const [label, { reviewAt, restrictAt }] of thresholds) {
    const score = scores[label] ?? 1;
    if (restrictAt !== null && score >= restrictAt) return 'restrict';
    if (score >= reviewAt) verdict = 'review';
  }
  return verdict;
}

export function measureVerdicts(heldBack: readonly MeasuredRow[], thresholds: Thresholds): ModelCard['verdicts'] {
  const strata = strataOf(heldBack.map(({ row }) => row)).filter((stratum) => stratum !== null);
  return strata.map((source) => {
    const counts = { allow: 0, review: 0, restrict: 0 };
    for (const { row, scores } of heldBack) {
      if (inStratum(row, source)) counts[verdictOf(scores, thresholds)] += 1;
    }
    return { source, rows: counts.allow + counts.review + counts.restrict, ...counts };
  });
}

/** Recall of toxicity at its reviewAt on the held-back toxic tweets, as they are and under each disguise. */
export function measureDisguises(
  heldBack: readonly MeasuredRow[],
  scorer: Scorer,
  thresholds: Thresholds,
): ModelCard['disguises'] {
  const reviewAt = thresholds.get('toxicity')?.reviewAt ?? 1;
  const texts = heldBack
    .filter(({ row }) => row.set === 'davidson' && row.gold.toxicity === 1)
    .map(({ row }) => row.text);
  return DISGUISES.map(({ name, apply }) => {
    const found = texts.filter((text) => (scorer.score(apply(text)).toxicity ?? 0) >= reviewAt).length;
    return { name, recall: rateOf(found, texts.length) };
  });
}

export function measureProbes(scorer: Scorer, thresholds: Thresholds): ModelCard['probes'] {
  return PROBES.map(({ label, expected, kind, text }) => {
    const score = scorer.score(text)[label] ?? 0;
    return { label, expected, kind, text, score, flagged: score >= (thresholds.get(label)?.reviewAt ?? 1) };
  });
}

/** Share of cases that come out right at hate's reviewAt, for each function of a functional test suite. */
export function measureFunctions(
  cases: readonly LabelledRow[],
  scorer: Scorer,
  thresholds: Thresholds,
): ModelCard['functions'] {
  const reviewAt = thresholds.get('hate')?.reviewAt ?? 1;
  const byName = new Map<string, { hateful: boolean; right: number; count: number }>();
  for (const { source, text, gold } of cases) {
    if (gold.hate === undefined) continue;
    const name = source.slice(source.indexOf('/') + 1);
    const entry = byName.get(name) ?? { hateful: gold.hate === 1, right: 0, count: 0 };
    const flagged = (scorer.score(text).hate ?? 0) >= reviewAt;
    entry.right += flagged === (gold.hate === 1) ? 1 : 0;
    entry.count += 1;
    byName.set(name, entry);
  }
  const sorted = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, { hateful, right, count }]) => ({ name, hateful, correct: rateOf(right, count) as Rate }));
}
