import { actRoute } from '@/app/_server/route.ts';
import { rejection } from '@/app/_server/schemas.ts';
import { rejectAndRelease } from '@/lib/review/release.db.ts';

/** Rejects a proposed action and makes the content public. */
export const POST = actRoute('action.decide', rejection, ({ user, input, params, pool }) =>
  rejectAndRelease(pool, { actionId: params.id ?? '', userId: user.id, ...input }),
);
