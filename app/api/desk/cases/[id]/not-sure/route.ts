import { actRoute } from '@/app/_server/route.ts';
import { held } from '@/app/_server/schemas.ts';
import { notSure } from '@/lib/review/step-aside.db.ts';

/** Leaves the case to others and says that one could not tell. */
export const POST = actRoute('case.review', held, ({ user, input, params, pool }) =>
  notSure(pool, { caseId: params.id ?? '', token: input.token, userId: user.id }),
);
