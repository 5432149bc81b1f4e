import { claimJson } from '@/app/_server/claim-json.ts';
import { actRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { claimCase } from '@/lib/review/claim.db.ts';

/** Claims this case, which a person opened by its address. */
export const POST = actRoute('case.review', nothing, async ({ user, params, pool }) =>
  claimJson(await claimCase(pool, { caseId: params.id ?? '', userId: user.id })),
);
