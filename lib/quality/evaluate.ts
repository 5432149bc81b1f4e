import { areaUnderRoc, rateOf } from '../classifier/builtin/evaluator.ts';
import type { FailureCode } from '../classifier/failure.ts';
import type { Gold } from '../content/import/gold.ts';
import { compareBytes } from '../kernel/text.ts';
import type { Interval } from '../kernel/wilson.ts';
import { type Classification, WORDS } from '../policy/classification.ts';
import { labelsOf, type PolicyDocument, scoresRules } from '../policy/schema.ts';

/** How good a classifier is under a policy, counted against gold. Failures are no answers and never a right or wrong one. */

/** What is true of a row, for the labels the policy is judged by; a label that is absent is unknown. */
export type Truths = Readonly<Record<string, 0 | 1>>;

/** One row that was asked: where it belongs, what is true of it and what came back. */
export type AskedRow = {
  readonly stratum: string;
  readonly truths: Truths;
  readonly answer: { readonly classification: Classification } | { readonly failure: FailureCode };
};

/** One label on one stratum; `stratum` null is all rows. Rates of 0 of 0 are null. */
export type LabelQuality = {
  readonly label: string;
  readonly stratum: string | null;
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
  /** Rows whose gold names the label and that got no answer: in none of the four counts. */
  readonly unanswered: number;
  /** Rows that were answered without a number for the label. */
  readonly notEvaluated: number;
  readonly precision: number | null;
  readonly precisionInterval: Interval | null;
  readonly recall: number | null;
  readonly recallInterval: Interval | null;
  /** Null where there is no score, or not both classes. */
  readonly auc: number | null;
};

export type Evaluation = {
  /** Rows that were asked. */
  readonly asked: number;
  readonly failures: number;
  readonly failureCodes: Readonly<Partial<Record<FailureCode, number>>>;
  /** The share of rows that got an answer; null where none was asked. */
  readonly coverage: number | null;
  readonly coverageInterval: Interval | null;
  readonly byLabel: readonly LabelQuality[];
};

/** @returns the labels a policy is judged by: those with a rule, the tags, or the three words. */
export function judgedLabels(document: PolicyDocument): readonly string[] {
  switch (document.contract_version) {
    case 'scores/1':
      return scoresRules(document).map(({ label }) => label);
    case 'tag/1':
      return labelsOf(document).map(({ name }) => name);
    case 'verdict/1':
      return WORDS;
  }
}

/**
 * Reads the gold of a row for a policy. Of labels with scores each stands for itself. Tags and words exclude each
 * other: where one is true the others are false.
 * @returns null where the gold says nothing about the policy's labels.
 */
export function truthsOf(document: PolicyDocument, gold: Gold | null): Truths | null {
  if (gold === null) return null;
  const labels = judgedLabels(document);
  const said = labels.flatMap((label): [string, 0 | 1][] => {
    const value = Object.hasOwn(gold.values, label) ? gold.values[label] : undefined;
    return value === undefined ? [] : [[label, value]];
  });
  if (said.length === 0) return null;
  const exclusive = document.contract_version !== 'scores/1' && said.some(([, value]) => value === 1);
  const others = exclusive ? labels.map((label): [string, 0 | 1] => [label, 0]) : [];
  return Object.fromEntries([...others, ...said]);
}

/** What an answer says about one label: a number where there is one, and whether it counts as a yes. */
type Reading = { readonly yes: boolean; readonly score: number | null };

/** @returns null where the label was not evaluated. */
function readingOf(document: PolicyDocument, classification: Classification, label: string): Reading | null {
  if ('tag' in classification) return { yes: classification.tag === label, score: null };
  if ('word' in classification) return { yes: classification.word === label, score: null };
  const score = Object.hasOwn(classification.scores, label) ? (classification.scores[label] ?? null) : null;
  const rule = scoresRules(document).find((each) => each.label === label);
  if (score === null || !rule) return null;
  return { yes: score >= rule.reviewAt, score };
}

/**
 * Counts answers against gold, for every label on all rows and on every stratum that has gold for it.
 * @param rows in any order.
 */
export function evaluate(document: PolicyDocument, rows: readonly AskedRow[]): Evaluation {
  const codes: Partial<Record<FailureCode, number>> = {};
  for (const { answer } of rows) {
    if ('failure' in answer) codes[answer.failure] = (codes[answer.failure] ?? 0) + 1;
  }
  const failures = Object.values(codes).reduce((sum, count) => sum + count, 0);
  const coverage = rateOf(rows.length - failures, rows.length);
  const strata = [...new Set(rows.map(({ stratum }) => stratum))].sort(compareBytes);
  return {
    asked: rows.length,
    failures,
    failureCodes: codes,
    coverage: coverage.share,
    coverageInterval: coverage.interval,
    byLabel: judgedLabels(document).flatMap((label) => {
      const known = rows.filter(({ truths }) => Object.hasOwn(truths, label));
      const parts = strata.map((stratum) => known.filter((row) => row.stratum === stratum));
      return [
        labelQuality(document, label, null, known),
        ...parts.flatMap((part) => (part[0] ? [labelQuality(document, label, part[0].stratum, part)] : [])),
      ];
    }),
  };
}

function labelQuality(
  document: PolicyDocument,
  label: string,
  stratum: string | null,
  rows: readonly AskedRow[],
): LabelQuality {
  const counts = { tp: 0, fp: 0, fn: 0, tn: 0, unanswered: 0, notEvaluated: 0 };
  const scored: { score: number; truth: 0 | 1 }[] = [];
  for (const { truths, answer } of rows) {
    if ('failure' in answer) {
      counts.unanswered += 1;
      continue;
    }
    const reading = readingOf(document, answer.classification, label);
    if (!reading) {
      counts.notEvaluated += 1;
      continue;
    }
    const truth = truths[label] ?? 0;
    if (truth === 1) counts[reading.yes ? 'tp' : 'fn'] += 1;
    else counts[reading.yes ? 'fp' : 'tn'] += 1;
    if (reading.score !== null) scored.push({ score: reading.score, truth });
  }
  const precision = rateOf(counts.tp, counts.tp + counts.fp);
  const recall = rateOf(counts.tp, counts.tp + counts.fn);
  return {
    label,
    stratum,
    ...counts,
    precision: precision.share,
    precisionInterval: precision.interval,
    recall: recall.share,
    recallInterval: recall.interval,
    auc: areaUnderRoc(scored),
  };
}
