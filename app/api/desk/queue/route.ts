import * as z from 'zod';
import { viewRoute } from '@/app/_server/route.ts';
import { queue } from '@/app/_server/schemas.ts';
import { may } from '@/lib/access/roles.ts';
import { listQueue } from '@/lib/review/queue.db.ts';

const query = z.object({ queue, after: z.string().max(40).optional() });

/** One page of a queue, oldest first. */
export const GET = viewRoute('case.review', query, async ({ user, input, pool }) => {
  if (input.queue === 'moderator' && !may(user.role, 'case.review_moderator')) return null;
  return listQueue(pool, { queue: input.queue, after: input.after ?? null });
});
