import { actRoute } from '@/app/_server/route.ts';
import { held } from '@/app/_server/schemas.ts';
import { releaseClaim } from '@/lib/review/claim.db.ts';

/** Gives the case back to its queue. */
export const POST = actRoute('case.review', held, ({ user, input, params, pool }) =>
  releaseClaim(pool, { caseId: params.id ?? '', token: input.token, userId: user.id }),
);
