import * as z from 'zod';
import { actRoute } from '@/app/_server/route.ts';
import { revision } from '@/app/_server/schemas.ts';
import { approveAction } from '@/lib/enforcement/approve.db.ts';

/** Approves a proposed action for the revision that was read. */
export const POST = actRoute('action.decide', z.object({ revision }), ({ user, input, params, pool }) =>
  approveAction(pool, { actionId: params.id ?? '', userId: user.id, revision: input.revision }),
);
