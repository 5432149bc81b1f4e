import * as z from 'zod';
import { viewRoute } from '@/app/_server/route.ts';
import { listRunItems } from '@/lib/quality/run-list.db.ts';

const query = z.object({ after: z.string().max(60).optional() });

/** One page of the runs, newest first. */
export const GET = viewRoute('run.read', query, ({ input, pool }) =>
  listRunItems(pool, { after: input.after ?? null }),
);
