import { z } from 'zod';

/** The validated answer of a classifier, as it is stored and exported: one shape for each answer contract. */

/** The words of the `verdict` contract. */
export const WORDS = ['CLEAN', 'SPAM', 'REVIEW'] as const;
export type Word = (typeof WORDS)[number];

/** A score per label, from 0 to 1; null says that the classifier did not evaluate it, which is never the same as 0. */
export type Scores = Readonly<Record<string, number | null>>;
/**
 * One tag with its passage: `start` and `end` (exclusive) count code points of the text, `passage_sha256` is over the
 * passage's UTF-8. All three are null where the policy asks for no evidence.
 */
export type Tagged = {
  readonly tag: string;
  readonly start: number | null;
  readonly end: number | null;
  readonly passage_sha256: string | null;
};
export type Classification = { readonly scores: Scores } | Tagged | { readonly word: Word };

const score = z.number().min(0).max(1);
const offset = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** For whoever reads a stored classification, and for the rows of a bundle. */
export const classificationSchema = z.union([
  z.strictObject({ scores: z.record(z.string(), score.nullable()) }),
  z.strictObject({
    tag: z.string().min(1),
    start: offset.nullable(),
    end: offset.nullable(),
    passage_sha256: sha256.nullable(),
  }),
  z.strictObject({ word: z.enum(WORDS) }),
]);
