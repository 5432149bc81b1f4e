import { compareBytes } from '../kernel/text.ts';
import type { Scores } from './classification.ts';
import type { ScoresDocument, ScoresRule } from './schema.ts';

/** What a policy derives from a classification, and why. */
export const VERDICTS = ['allow', 'review', 'restrict'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * From strongest to weakest, which is the order of reasons. `word` and `tag`: the answer itself leads away from allow;
 * `segments_differ`: another segment got another tag; `instruction`: the content tried to instruct the classifier.
 */
export const BECAUSE_RULES = [
  'restrictAt',
  'word',
  'tag',
  'reviewAt',
  'not_evaluated',
  'segments_differ',
  'instruction',
] as const;
export type BecauseRule = (typeof BECAUSE_RULES)[number];

/**
 * One reason that led away from allow. For `not_evaluated` the score is null and the threshold is its reviewAt; rules
 * that know no scores have neither.
 */
export type Because = {
  readonly label: string;
  readonly score: number | null;
  readonly threshold: number | null;
  readonly rule: BecauseRule;
};
export type Derived = { readonly verdict: Verdict; readonly because: readonly Because[] };

/**
 * Derives the verdict of a `scores` policy: any score at or above its restrictAt gives restrict, else any at or above
 * its reviewAt or not evaluated gives review, else allow.
 * @param policy its rules; labels without a rule have no effect.
 * @param scores from 0 to 1; further labels are ignored.
 * @returns the verdict and every label that led to it, strongest first; none for allow.
 * @throws where a label with a rule is missing or no number from 0 to 1: the classifier's border should have refused
 * it, and a hole must never read as "allow".
 */
export function deriveScoresVerdict(policy: Pick<ScoresDocument, 'rules'>, scores: Scores): Derived {
  const because: Because[] = [];
  for (const rule of policy.rules) {
    const reason = applyRule(rule, scores);
    if (reason) because.push(reason);
  }
  because.sort(
    (a, b) =>
      BECAUSE_RULES.indexOf(a.rule) - BECAUSE_RULES.indexOf(b.rule) ||
      (b.score ?? 0) - (a.score ?? 0) ||
      compareBytes(a.label, b.label),
  );
  const strongest = because[0];
  if (!strongest) return { verdict: 'allow', because };
  return { verdict: strongest.rule === 'restrictAt' ? 'restrict' : 'review', because };
}

function applyRule(rule: ScoresRule, scores: Scores): Because | null {
  const { label, reviewAt, restrictAt } = rule;
  const score = Object.hasOwn(scores, label) ? scores[label] : undefined;
  if (score === null) return { label, score, threshold: reviewAt, rule: 'not_evaluated' };
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    throw new Error('a score the policy uses is not usable');
  if (restrictAt !== undefined && score >= restrictAt)
    return { label, score, threshold: restrictAt, rule: 'restrictAt' };
  return score >= reviewAt ? { label, score, threshold: reviewAt, rule: 'reviewAt' } : null;
}

/**
 * Combines the answers for the segments of one text by maximum. Where a label was not evaluated in some segment, its
 * true maximum is unknown: a number is kept only if it leads at least to review on its own, else the whole is null.
 * @param segments one answer or more, all with the same labels.
 * @throws on no segments or differing labels: a hole must not vanish in a maximum.
 */
export function combineScores(
  policy: Pick<ScoresDocument, 'rules'>,
  segments: readonly Scores[],
): Record<string, number | null> {
  const [first, ...rest] = segments;
  if (!first) throw new Error('no segment to combine');
  if (rest.length === 0) return { ...first };
  const labels = Object.keys(first);
  const combined: [string, number | null][] = labels.map((label) => {
    const values = segments.map((segment) => {
      const value = Object.hasOwn(segment, label) ? segment[label] : undefined;
      if (value === undefined || Object.keys(segment).length !== labels.length)
        throw new Error('segments differ in labels');
      return value;
    });
    const numbers = values.filter((value) => value !== null);
    const highest = numbers.length > 0 ? Math.max(...numbers) : null;
    if (numbers.length === values.length) return [label, highest];
    const reviewAt = policy.rules.find((rule) => rule.label === label)?.reviewAt;
    return [label, highest !== null && reviewAt !== undefined && highest >= reviewAt ? highest : null];
  });
  return Object.fromEntries(combined);
}

/** @returns the rule a proposal takes its action from: that of the strongest label at or above restrictAt, or null. */
export function restrictingRule(policy: Pick<ScoresDocument, 'rules'>, derived: Derived): ScoresRule | null {
  const [strongest] = derived.because;
  if (strongest?.rule !== 'restrictAt') return null;
  return policy.rules.find((rule) => rule.label === strongest.label) ?? null;
}
