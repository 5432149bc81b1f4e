import type { Classification, Word } from './classification.ts';
import type { PolicyDocument, ScoresRule, TagDocument, VerdictDocument } from './schema.ts';
import { type Because, combineScores, type Derived, deriveScoresVerdict, restrictingRule } from './verdict.ts';

/** What a policy derives from an answer, whatever its contract. The one place where a verdict comes from. */

/** What besides the answer counts for the verdict. */
export type Circumstances = {
  /** The content tried to instruct whoever reads it. */
  readonly instructed: boolean;
  /** Tags that other segments of the same text got; none where all agreed. */
  readonly differing: readonly string[];
};
export const PLAIN: Circumstances = { instructed: false, differing: [] };
/** The label of the reason that stands for an attempt to instruct the classifier. */
export const INSTRUCTION = 'instruction';

/**
 * Derives the verdict.
 * @param classification in the shape of the policy's contract, judged at the classifier's border.
 * @returns the verdict with every reason, strongest first; none exactly for allow.
 * @throws where the classification is not one of this policy: a hole must never read as "allow".
 */
export function deriveVerdict(
  document: PolicyDocument,
  classification: Classification,
  circumstances: Circumstances,
): Derived {
  const derived = deriveAnswer(document, classification);
  const because: Because[] = [
    ...derived.because,
    ...circumstances.differing.map((label) => reason(label, 'segments_differ')),
    ...(circumstances.instructed ? [reason(INSTRUCTION, 'instruction')] : []),
  ];
  const verdict = derived.verdict === 'allow' && because.length > 0 ? 'review' : derived.verdict;
  return { verdict, because };
}

function deriveAnswer(document: PolicyDocument, classification: Classification): Derived {
  switch (document.contract_version) {
    case 'scores/1':
      if (!('scores' in classification)) break;
      return deriveScoresVerdict(document, classification.scores);
    case 'tag/1':
      if (!('tag' in classification)) break;
      return deriveTag(document, classification.tag);
    case 'verdict/1':
      if (!('word' in classification)) break;
      return deriveWord(document, classification.word);
  }
  throw new Error('an answer to another contract');
}

function deriveTag({ rules }: TagDocument, tag: string): Derived {
  if (rules.review.includes(tag)) return { verdict: 'review', because: [reason(tag, 'tag')] };
  if (rules.accept.includes(tag)) return { verdict: 'allow', because: [] };
  throw new Error('a tag the policy does not know');
}

function deriveWord({ rules }: VerdictDocument, word: Word): Derived {
  const verdict = rules[word];
  return { verdict, because: verdict === 'allow' ? [] : [reason(word, 'word')] };
}

function reason(label: string, rule: Because['rule']): Because {
  return { label, score: null, threshold: null, rule };
}

/** What the answers to the segments of one text come to. */
export type Combined = { readonly classification: Classification } & Pick<Circumstances, 'differing'>;

/**
 * Combines the answers to the segments of one text, in their order: scores by maximum; CLEAN only if every word is
 * CLEAN, SPAM before REVIEW; of tags the first stands, and the others that were given are named.
 * @param segments one answer or more, all to the policy's contract.
 * @throws on none, or on answers of different shapes.
 */
export function combineAnswers(document: PolicyDocument, segments: readonly Classification[]): Combined {
  const [first] = segments;
  if (!first) throw new Error('no segment to combine');
  if (document.contract_version === 'scores/1') {
    const scores = segments.map((each) => {
      if ('scores' in each) return each.scores;
      throw new Error('an answer to another contract');
    });
    return { classification: { scores: combineScores(document, scores) }, differing: [] };
  }
  if (document.contract_version === 'tag/1' && 'tag' in first) {
    const tags = segments.map((each) => {
      if ('tag' in each) return each.tag;
      throw new Error('an answer to another contract');
    });
    return { classification: first, differing: [...new Set(tags)].filter((tag) => tag !== first.tag) };
  }
  const words = segments.map((each) => {
    if ('word' in each) return each.word;
    throw new Error('an answer to another contract');
  });
  const word = words.includes('SPAM') ? 'SPAM' : words.includes('REVIEW') ? 'REVIEW' : 'CLEAN';
  return { classification: { word }, differing: [] };
}

/** What a proposal does where a `verdict` policy says restrict: it names no action, so the strongest reversible one. */
const WORD_ACTION: ScoresRule['action'] = 'hide';

/** @returns the action that a restrict of this policy proposes, or null where the verdict is another. */
export function restrictingAction(document: PolicyDocument, derived: Derived): ScoresRule['action'] | null {
  if (derived.verdict !== 'restrict') return null;
  if (document.contract_version === 'scores/1') return restrictingRule(document, derived)?.action ?? null;
  return WORD_ACTION;
}
