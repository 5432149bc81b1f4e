import { actRoute } from '@/app/_server/route.ts';
import { rejection } from '@/app/_server/schemas.ts';
import { rejectToReview } from '@/lib/review/back-to-review.db.ts';

/** Rejects a proposed action and asks the reviewers again. */
export const POST = actRoute('action.decide', rejection, ({ user, input, params, pool }) =>
  rejectToReview(pool, { actionId: params.id ?? '', userId: user.id, ...input }),
);
