import type { Interval } from '../lib/kernel/wilson.ts';
import type { LabelQuality } from '../lib/quality/evaluate.ts';
import type { GoldEvaluation } from './evaluate-gold.ts';

/** Fewer rows than this are no rate to be told to people; --json always has the counts. */
const TELLING_COUNT = 10;

/** @returns an evaluation as --json prints it. */
export function evaluationJson(found: GoldEvaluation): object {
  return {
    rows: found.rows,
    without_gold: found.withoutGold,
    asked: found.asked,
    failures: found.failures,
    failure_codes: found.failureCodes,
    coverage: found.coverage,
    coverage_interval: found.coverageInterval,
    by_label: found.byLabel.map((each) => ({
      label: each.label,
      stratum: each.stratum,
      tp: each.tp,
      fp: each.fp,
      fn: each.fn,
      tn: each.tn,
      unanswered: each.unanswered,
      not_evaluated: each.notEvaluated,
      precision: each.precision,
      precision_interval: each.precisionInterval,
      recall: each.recall,
      recall_interval: each.recallInterval,
      auc: each.auc,
    })),
  };
}

/** @returns an evaluation for people, a line each. */
export function evaluationLines(found: GoldEvaluation): string[] {
  const codes = Object.entries(found.failureCodes).map(([code, count]) => `${code} ${count}`);
  return [
    `${found.rows} rows, ${found.withoutGold} without gold for this policy, ${found.asked} asked`,
    `answered: ${rate(found.asked - found.failures, found.asked, found.coverage, found.coverageInterval)}`,
    ...(codes.length > 0 ? [`no answer: ${codes.join(', ')}`] : []),
    ...found.byLabel.flatMap((each) => labelLines(each)),
  ];
}

function labelLines(each: LabelQuality): string[] {
  const { label, stratum, tp, fp, fn, tn, auc } = each;
  const missing = each.unanswered + each.notEvaluated;
  const counts = `tp ${tp}, fp ${fp}, fn ${fn}, tn ${tn}${missing > 0 ? `, without an answer ${missing}` : ''}`;
  const rates = [
    `precision ${rate(tp, tp + fp, each.precision, each.precisionInterval)}`,
    `recall ${rate(tp, tp + fn, each.recall, each.recallInterval)}`,
    ...(auc === null
      ? []
      : [`AUC ${tp + fn < TELLING_COUNT || fp + tn < TELLING_COUNT ? 'too few to say' : auc.toFixed(3)}`]),
  ];
  return [stratum === null ? label : `  ${stratum}`, `    ${rates.join('; ')}; ${counts}`];
}

function rate(hits: number, count: number, share: number | null, interval: Interval | null): string {
  if (share === null || interval === null) return `none (0 of 0)`;
  if (count < TELLING_COUNT) return `too few to say (${hits} of ${count})`;
  return `${share.toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}; ${hits} of ${count})`;
}
