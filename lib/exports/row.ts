import { z } from 'zod';
import { hasAnyControl, hasLoneSurrogate } from '../kernel/text.ts';
import { classificationSchema } from '../policy/classification.ts';

/** The rows of a bundle. Strict: a member that is not named here makes the row bad. */

const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

/** @returns true for RFC 3339 in UTC with milliseconds that names a real day and time. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
export const instantSchema = z.string().refine(isInstant);
export const exportIdSchema = z.string().regex(/^exp_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const contentTypeSchema = z.enum(['post', 'comment', 'document']);
export const policyVersionSchema = z.string().regex(/^[a-z0-9-]{1,64}@[1-9][0-9]{0,8}$/);
/** Ids hold no control character at all and no half of a surrogate pair. */
export const idSchema = z
  .string()
  .min(1)
  .refine((text) => !hasAnyControl(text) && !hasLoneSurrogate(text));
const count = z.int().min(0);
const score = z.number().min(0).max(1);

const because = z.strictObject({
  label: z.string(),
  score: score.nullable(),
  threshold: score.nullable(),
  rule: z.string().min(1),
});

const attempt = z.strictObject({ number: z.int().min(1), at: instantSchema, outcome: z.string().min(1) });

const review = z.strictObject({
  verdict: z.enum(['allow', 'restrict']),
  labels: z.array(z.string()),
  reason: z.string().nullable(),
  role: z.enum(['reviewer', 'moderator', 'manager', 'owner']),
  at: instantSchema,
  /** Only in a bundle with text. */
  note: z.string().nullable().optional(),
});

const enforcement = z.strictObject({
  action: z.enum(['hide', 'limit', 'label']),
  state: z.enum(['proposed', 'approved', 'applied', 'rejected', 'reversed', 'withdrawn']),
  /** Since when the action is in this state. */
  at: instantSchema,
});

/** Everything that was shown to the classifier, only in a bundle with text; text null: it has been erased. */
const shown = {
  text: z.string().nullable().optional(),
  title: z.string().nullable().optional(),
  author_name: z.string().nullable().optional(),
  parent_text: z.string().nullable().optional(),
};

const common = {
  decision_id: sha256Schema,
  content_id: idSchema,
  content_type: contentTypeSchema,
  source: z.string().min(1),
  revision: idSchema,
  text_sha256: sha256Schema,
  input_sha256: sha256Schema,
  policy_version: policyVersionSchema,
  attempts: count,
  attempt_lineage: z.array(attempt),
  review: review.nullable(),
  export_id: exportIdSchema,
  ...shown,
};

export const decisionRowSchema = z.strictObject({
  ...common,
  prompt_sha256: sha256Schema,
  contract_version: z.string().min(1),
  classifier: z.string().min(1),
  model: z.string().min(1),
  classification: classificationSchema,
  verdict: z.enum(['allow', 'review', 'restrict']),
  because: z.array(because),
  committed_at: instantSchema,
  effect: z.enum(['not_governing', 'superseded', 'late', 'withheld', 'applied', 'none']),
  enforcement: enforcement.nullable(),
  /** There exactly where the decision was made before, so that this run made no call for it. */
  deduplicated: z.literal(true).optional(),
});

export const exceptionRowSchema = z.strictObject({
  ...common,
  code: z.string().regex(/^[a-z_]{1,64}$/),
  failed_at: instantSchema,
});

export type DecisionRow = z.infer<typeof decisionRowSchema>;
export type ExceptionRow = z.infer<typeof exceptionRowSchema>;
export type BundleRow = DecisionRow | ExceptionRow;
export type RowKind = 'decision' | 'exception';
