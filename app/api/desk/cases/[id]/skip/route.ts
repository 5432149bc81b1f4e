import { actRoute } from '@/app/_server/route.ts';
import { held } from '@/app/_server/schemas.ts';
import { skipCase } from '@/lib/review/step-aside.db.ts';

/** Leaves the case to others. */
export const POST = actRoute('case.review', held, ({ user, input, params, pool }) =>
  skipCase(pool, { caseId: params.id ?? '', token: input.token, userId: user.id }),
);
