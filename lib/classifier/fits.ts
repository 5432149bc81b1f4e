import { sha256Hex } from '../kernel/hash.ts';
import { type Classification, type Scores, WORDS } from '../policy/classification.ts';
import type { PolicyDocument } from '../policy/document.ts';

/** Code points of the passage that shows a tag. */
export const PASSAGE_MAX_CODE_POINTS = 300;

/**
 * The last look at an answer, whichever adapter brought it: whatever passes here is what the policy judges.
 * @param text that was shown.
 * @returns true for exactly the labels of the policy with numbers from 0 to 1 or null; for one of its tags, with a
 * passage that stands in the text just there (or none where the policy wants none); for one of the three words.
 */
export function fits(document: PolicyDocument, classification: Classification, text: string): boolean {
  switch (document.contract_version) {
    case 'scores/1': {
      if (!('scores' in classification)) return false;
      const { scores } = classification;
      const names = document.contract.labels.map((label) => label.name);
      return (
        Object.keys(scores).length === names.length &&
        names.every((name) => Object.hasOwn(scores, name)) &&
        usable(scores)
      );
    }
    case 'tag/1': {
      if (!('tag' in classification)) return false;
      if (!document.contract.labels.some((label) => label.name === classification.tag)) return false;
      return document.contract.evidence ? stands(classification, text) : isBare(classification);
    }
    case 'verdict/1':
      return 'word' in classification && WORDS.includes(classification.word);
  }
}

/** @returns true where every score is a number from 0 to 1, or null. */
export function usable(scores: Scores): boolean {
  return Object.values(scores).every(
    (score) => score === null || (typeof score === 'number' && score >= 0 && score <= 1),
  );
}

type Tagged = Extract<Classification, { readonly tag: string }>;

function stands({ start, end, passage_sha256 }: Tagged, text: string): boolean {
  if (start === null || end === null || !(start >= 0 && start < end && end - start <= PASSAGE_MAX_CODE_POINTS))
    return false;
  const points = [...text];
  return end <= points.length && sha256Hex(points.slice(start, end).join('')) === passage_sha256;
}

function isBare({ start, end, passage_sha256 }: Tagged): boolean {
  return start === null && end === null && passage_sha256 === null;
}
