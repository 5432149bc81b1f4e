import * as z from 'zod';
import { viewRoute } from '@/app/_server/route.ts';
import { listApprovals } from '@/lib/enforcement/approvals.db.ts';

const query = z.object({ after: z.string().max(60).optional() });

/** One page of what waits for an approval, oldest first. */
export const GET = viewRoute('action.decide', query, ({ input, pool }) =>
  listApprovals(pool, { after: input.after ?? null }),
);
