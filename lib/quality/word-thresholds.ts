import type { Scores, Word } from '../policy/classification.ts';
import type { VerdictRule } from '../policy/verdict-rule.ts';

/** Chooses the thresholds of a verdict rule from texts with a known word; those to be reported on take no part. */

/** One text: its scores and what the word should be. */
export type WordExample = { readonly scores: Scores; readonly word: Word };

/** Texts that may be flagged wrongly, by one label alone, as a share of all texts with another word. */
export type WordBudget = {
  /** Of CLEAN texts that a label may send to people. */
  readonly reviewAlarms: number;
  /** Of CLEAN texts that a label may call SPAM. */
  readonly spamOfClean: number;
  /** Of REVIEW texts that a label may call SPAM. */
  readonly spamOfReview: number;
};

const HUNDREDTHS = Array.from({ length: 100 }, (_, at) => (at + 1) / 100);

/**
 * @param labels those whose kind is SPAM may say SPAM; the others lead to people only.
 * @returns for each label the lowest thresholds, in hundredths, that keep within the budget; a label that no threshold
 * keeps within it is left out, and one that cannot say SPAM within it only reviews.
 */
export function wordThresholds(
  examples: readonly WordExample[],
  labels: readonly { readonly label: string; readonly kind: 'SPAM' | 'REVIEW' }[],
  budget: WordBudget,
): VerdictRule {
  const share = (word: Word, label: string, at: number): number => {
    const known = examples.filter((each) => each.word === word);
    return known.filter(({ scores }) => (scores[label] ?? 0) >= at).length / Math.max(1, known.length);
  };
  return labels.flatMap(({ label, kind }): VerdictRule => {
    const reviewAt = HUNDREDTHS.find((at) => share('CLEAN', label, at) <= budget.reviewAlarms);
    if (reviewAt === undefined) return [];
    const spamAt =
      kind === 'SPAM'
        ? HUNDREDTHS.find(
            (at) =>
              at >= reviewAt &&
              share('CLEAN', label, at) <= budget.spamOfClean &&
              share('REVIEW', label, at) <= budget.spamOfReview,
          )
        : undefined;
    return [{ label, reviewAt, ...(spamAt !== undefined && { spamAt }) }];
  });
}
