import * as z from 'zod';
import { claimJson } from '@/app/_server/claim-json.ts';
import { actRoute } from '@/app/_server/route.ts';
import { queue } from '@/app/_server/schemas.ts';
import { claimNext } from '@/lib/review/claim.db.ts';

const schema = z.object({ queue, prefetch: z.boolean().default(false) });

/** Claims the next case of a queue, or holds one for later. */
export const POST = actRoute('case.review', schema, async ({ user, input, pool }) =>
  claimJson(await claimNext(pool, { userId: user.id, ...input })),
);
