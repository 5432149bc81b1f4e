import { z } from 'zod';
import type { Scores, Word } from './classification.ts';
import type { VerdictDocument } from './schema.ts';

/** How a classifier that gives scores answers with a word: the rule that the policy pins in `params.verdict_rule`. */

const score = z.number().min(0).max(1);
const schema = z
  .array(z.strictObject({ label: z.string().min(1).max(200), reviewAt: score, spamAt: score.optional() }))
  .min(1)
  .max(64)
  .refine((lines) => new Set(lines.map(({ label }) => label)).size === lines.length, 'names a label twice')
  .refine((lines) => lines.every(({ reviewAt, spamAt = 1 }) => reviewAt <= spamAt), 'says spam before review');

/** A line a label: from `spamAt` the word is SPAM, from `reviewAt` at least REVIEW. */
export type VerdictRule = z.infer<typeof schema>;

/** @returns the rule a policy pins for classifiers that give scores, or null where it has none that can be read. */
export function verdictRule({ classifier }: Pick<VerdictDocument, 'classifier'>): VerdictRule | null {
  const read = schema.safeParse(classifier.params?.verdict_rule);
  return read.success ? read.data : null;
}

/**
 * Turns scores into the word of a `verdict` policy.
 * @param scores from 0 to 1, or null where a label was not evaluated; others than those of the rule have no effect.
 * @returns SPAM where a score reaches its spamAt; else REVIEW where one reaches its reviewAt or was not evaluated; else
 * CLEAN. Null where a label of the rule is missing or no such number: a hole must never read as CLEAN.
 */
export function wordByRule(rule: VerdictRule, scores: Scores): Word | null {
  let word: Word = 'CLEAN';
  for (const { label, reviewAt, spamAt } of rule) {
    const given = Object.hasOwn(scores, label) ? scores[label] : undefined;
    if (given === null) {
      if (word === 'CLEAN') word = 'REVIEW';
      continue;
    }
    if (given === undefined || !(given >= 0 && given <= 1)) return null;
    if (spamAt !== undefined && given >= spamAt) word = 'SPAM';
    else if (given >= reviewAt && word === 'CLEAN') word = 'REVIEW';
  }
  return word;
}
