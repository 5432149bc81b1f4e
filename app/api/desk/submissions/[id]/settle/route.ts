import { wordsOf } from '@/app/_server/problem.ts';
import { actRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { ok } from '@/lib/kernel/result.ts';
import { settleSubmission } from '@/lib/review/settle.db.ts';
import { findSubmission } from '@/lib/review/submission.db.ts';

/** Lets a decision count whose time has come, and tells its author what became of it, whoever settled it. */
export const POST = actRoute('case.review', nothing, async ({ user, params, pool }) => {
  const id = params.id ?? '';
  const settled = await settleSubmission(pool, id);
  if (settled.outcome === 'effective') return ok({ outcome: 'effective' });
  if (settled.outcome === 'refused') return ok({ outcome: 'refused', problem: wordsOf(settled.refusal) });
  const submission = await findSubmission(pool, id);
  if (submission?.userId !== user.id) return ok({ outcome: 'nothing' });
  if (submission.state !== 'refused') return ok({ outcome: submission.state });
  return ok({ outcome: 'refused', problem: wordsOf(submission.refusal ?? 'refused') });
});
