import * as z from 'zod';
import { actRoute } from '@/app/_server/route.ts';
import { held } from '@/app/_server/schemas.ts';
import { DEFER_MAX_MS, DEFER_MIN_MS } from '@/lib/review/limits.ts';
import { deferCase } from '@/lib/review/step-aside.db.ts';

const schema = held.extend({ forMs: z.int().min(DEFER_MIN_MS).max(DEFER_MAX_MS) });

/** Takes the case out of every queue for a while. */
export const POST = actRoute('case.review', schema, ({ user, input, params, pool }) =>
  deferCase(pool, { caseId: params.id ?? '', userId: user.id, ...input }),
);
