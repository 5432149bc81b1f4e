import { claimJson } from '@/app/_server/claim-json.ts';
import { actRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { takeBack } from '@/lib/review/submit.db.ts';

/** Takes a decision back before it counts. */
export const POST = actRoute('case.review', nothing, async ({ user, params, pool }) =>
  claimJson(await takeBack(pool, { submissionId: params.id ?? '', userId: user.id })),
);
