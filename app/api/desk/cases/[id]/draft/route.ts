import * as z from 'zod';
import { actRoute } from '@/app/_server/route.ts';
import { noteText } from '@/app/_server/schemas.ts';
import { saveDraft } from '@/lib/review/drafts.db.ts';

/** Keeps what a person is writing; nobody else sees it. */
export const POST = actRoute('case.review', z.object({ text: noteText }), ({ user, input, params, pool }) =>
  saveDraft(pool, { caseId: params.id ?? '', userId: user.id, text: input.text }),
);
