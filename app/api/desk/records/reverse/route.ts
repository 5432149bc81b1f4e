import * as z from 'zod';
import { actRoute } from '@/app/_server/route.ts';
import { code, optionalNote } from '@/app/_server/schemas.ts';
import { reverseRecord } from '@/lib/review/reverse.db.ts';

const schema = z.object({
  contentId: z.string().min(1).max(512),
  version: z.int().positive(),
  reason: code,
  note: optionalNote,
});

/** Goes back through the newest rollback record of a content item. */
export const POST = actRoute('record.reverse', schema, ({ user, input, pool }) =>
  reverseRecord(pool, { userId: user.id, ...input }),
);
