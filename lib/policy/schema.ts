import { z } from 'zod';
import { hasAnyControl } from '../kernel/text.ts';
import { WORDS } from './classification.ts';

/** The shapes of the policy document. What holds between its members is judged in faults.ts. */

/** Segments one text may have where the policy says nothing; one text of 1 MiB in segments of 8,000 code points. */
export const SEGMENTS_MAX_DEFAULT = 132;
const SEGMENTS_MAX_BOUND = 1_000;
const LABELS_MAX = 64;
const EXAMPLES_MAX = 100;
const TITLE_MAX = 200;
const PROSE_MAX = 8_000;
const TEMPLATE_MAX = 64_000;

const title = z
  .string()
  .min(1)
  .max(TITLE_MAX)
  .refine((text) => !hasAnyControl(text), 'holds a control character');
const prose = z.string().min(1).max(PROSE_MAX);
// A name is a key of answers and a word on screens: no look-alike forms, no key that every object already has.
const labelName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N} _./:&()+-]{0,63}$/u, 'is not a label name')
  .refine((name) => name === name.normalize('NFC') && name === name.trim(), 'is not a label name');
const score = z.number().min(0).max(1);
const code = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'is not a code');
const word = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !hasAnyControl(text), 'holds a control character');

const label = z.strictObject({
  name: labelName,
  definition: prose,
  examples: z.array(prose).max(EXAMPLES_MAX),
  not_examples: z.array(prose).max(EXAMPLES_MAX),
  highImpact: z.boolean().optional(),
  support: z.enum(['low', 'normal']).optional(),
});
const labels = z.array(label).min(1).max(LABELS_MAX);
const input = z.strictObject({
  text: z.string(),
  title: z.string().optional(),
  author_name: z.string().optional(),
  parent_text: z.string().optional(),
});

const common = {
  policy: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'is not a slug: a-z, 0-9 and - only')
    .refine((slug) => slug !== 'none', 'is reserved'),
  title,
  purpose: prose,
  classifier: z.strictObject({
    adapter: z.enum(['builtin', 'openai-chat', 'openai-moderation', 'text-classification', 'http-json']),
    model: word,
    params: z.record(z.string(), z.json()).optional(),
  }),
  reasons: z
    .array(z.strictObject({ code, text: prose }))
    .min(1)
    .max(200),
  release: z.record(z.string(), z.json()).optional(),
};
const segments = <T extends string>(...combine: [T, ...T[]]) =>
  z.strictObject({ max: z.int().min(1).max(SEGMENTS_MAX_BOUND).optional(), combine: z.enum(combine).optional() });
const prompt = <T extends z.ZodType>(example: T) =>
  z.strictObject({
    template: z.string().max(TEMPLATE_MAX).optional(),
    examples: z.array(example).max(EXAMPLES_MAX).optional(),
  });

const scoresRule = z.strictObject({
  label: labelName,
  reviewAt: score,
  restrictAt: score.optional(),
  action: z.enum(['hide', 'limit', 'label']),
  automatic: z.boolean().optional(),
});
const scoresDocument = z.strictObject({
  ...common,
  contract: z.strictObject({ kind: z.literal('scores'), labels }),
  contract_version: z.literal('scores/1'),
  prompt: prompt(z.strictObject({ input, labels: z.record(labelName, score) })).optional(),
  rules: z.array(scoresRule).min(1).max(LABELS_MAX),
  segments: segments('maximum', 'max').optional(),
});
const tagDocument = z.strictObject({
  ...common,
  contract: z.strictObject({ kind: z.literal('tag'), labels, evidence: z.boolean() }),
  contract_version: z.literal('tag/1'),
  prompt: prompt(z.strictObject({ input, label: labelName, evidence: z.string().optional() })).optional(),
  rules: z.strictObject({ accept: z.array(labelName), review: z.array(labelName) }),
  segments: segments('equal').optional(),
});
const verdictDocument = z.strictObject({
  ...common,
  contract: z.strictObject({ kind: z.literal('verdict') }),
  contract_version: z.literal('verdict/1'),
  prompt: prompt(z.strictObject({ input, verdict: z.enum(WORDS) })).optional(),
  rules: z.strictObject({
    CLEAN: z.enum(['allow', 'review']),
    SPAM: z.enum(['restrict', 'review']),
    REVIEW: z.literal('review'),
  }),
  segments: segments('all').optional(),
});
export const DOCUMENTS = { scores: scoresDocument, tag: tagDocument, verdict: verdictDocument };

/** A policy whose classifier answers with a number from 0 to 1 for each label. */
export type ScoresDocument = z.infer<typeof scoresDocument>;
/** A policy whose classifier answers with exactly one label of a closed list, and a passage that shows it. */
export type TagDocument = z.infer<typeof tagDocument>;
/** A policy whose classifier answers with one word: CLEAN, SPAM or REVIEW. */
export type VerdictDocument = z.infer<typeof verdictDocument>;
/** `contract_version` tells the three apart. */
export type PolicyDocument = ScoresDocument | TagDocument | VerdictDocument;
export type PolicyLabel = ScoresDocument['contract']['labels'][number];
export type ScoresRule = ScoresDocument['rules'][number];

/** @returns the labels an answer may name; none under a `verdict` contract, whose words are fixed. */
export function labelsOf(document: Pick<PolicyDocument, 'contract'>): readonly PolicyLabel[] {
  return document.contract.kind === 'verdict' ? [] : document.contract.labels;
}

/** @returns the rules with thresholds; none where the contract has no scores. */
export function scoresRules(document: PolicyDocument): readonly ScoresRule[] {
  return document.contract_version === 'scores/1' ? document.rules : [];
}

/** Where a document is wrong and how: a path as `rules[1].restrictAt` and a short sentence without its subject. */
export type PolicyFault = { readonly path: string; readonly fault: string };
