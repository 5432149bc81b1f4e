import * as z from 'zod';
import { msUntil } from '@/app/_server/claim-json.ts';
import { actRoute } from '@/app/_server/route.ts';
import { code, held, optionalNote, revision } from '@/app/_server/schemas.ts';
import { ok } from '@/lib/kernel/result.ts';
import { REVIEW_VERDICTS } from '@/lib/review/judge.ts';
import { submitReview } from '@/lib/review/submit.db.ts';

/** Labels of one review at most; a policy has no more. */
const LABELS_MAX = 64;

const schema = held.extend({
  verdict: z.enum(REVIEW_VERDICTS),
  labels: z.array(code).max(LABELS_MAX),
  reasonCode: code.nullable(),
  note: optionalNote,
  revision,
});

/** Sends a decision, which counts when its time to be taken back has passed. */
export const POST = actRoute('case.review', schema, async ({ user, input, params, pool }) => {
  const sent = await submitReview(pool, { caseId: params.id ?? '', userId: user.id, ...input });
  if (!sent.ok) return sent;
  const { submissionId, effectiveAt } = sent.value;
  return ok({ submissionId, effectiveInMs: msUntil(effectiveAt) });
});
