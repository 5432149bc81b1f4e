import { actRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { ok } from '@/lib/kernel/result.ts';
import { settleSubmission } from '@/lib/review/settle.db.ts';

/** Lets a decision count whose time has come, and tells its author what became of it. */
export const POST = actRoute('case.review', nothing, async ({ params, pool }) =>
  ok(await settleSubmission(pool, params.id ?? '')),
);
