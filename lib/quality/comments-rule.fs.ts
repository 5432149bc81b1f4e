import { authorAndBodyScores } from '../classifier/builtin/author-and-body.ts';
import { loadBuiltinModel } from '../classifier/builtin/weights.fs.ts';
import { WORDS } from '../policy/classification.ts';
import { shippedCorpus } from '../policy/corpora.fs.ts';
import type { VerdictRule } from '../policy/verdict-rule.ts';
import { type WordBudget, type WordExample, wordThresholds } from './word-thresholds.ts';

/**
 * Only what was learned from other texts may say SPAM. What patterns find leads to people: they were written from the
 * very texts that thresholds are chosen on, where they look better than they are.
 */
const LABELS = [
  { label: 'spam', kind: 'SPAM' },
  { label: 'scam', kind: 'REVIEW' },
  { label: 'harassment', kind: 'REVIEW' },
  { label: 'hate', kind: 'REVIEW' },
  { label: 'threat', kind: 'REVIEW' },
  { label: 'toxicity', kind: 'REVIEW' },
  { label: 'private_data', kind: 'REVIEW' },
] as const;

/**
 * A choice about people's time, and about wrong proposals to hide: seven labels, each of which may bring one plain comment
 * in fifty to a person; SPAM on no plain comment, and on one in a hundred and sixty of those a person should see.
 */
const BUDGET: WordBudget = { reviewAlarms: 0.02, spamOfClean: 0, spamOfReview: 1 / 160 };

/**
 * @returns the verdict rule that the tuning part of the comment corpus leads to; the same each time.
 * @throws where a row of it has no word for its gold.
 */
export async function tunedCommentsRule(): Promise<VerdictRule> {
  const { score } = loadBuiltinModel();
  const rows = await shippedCorpus('comments', 'tuning');
  const examples = rows.map(({ text, title, authorName, gold }): WordExample => {
    const word = WORDS.find((each) => gold?.values[each] === 1);
    if (!word) throw new Error('a comment of the corpus has no word for its gold');
    const input = { text, title: title ?? undefined, author_name: authorName ?? undefined };
    return { word, scores: authorAndBodyScores(input, score, { detect: true }) };
  });
  return wordThresholds(examples, LABELS, BUDGET);
}
