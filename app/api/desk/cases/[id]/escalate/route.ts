import { actRoute } from '@/app/_server/route.ts';
import { code, held, optionalNote } from '@/app/_server/schemas.ts';
import { escalateCase } from '@/lib/review/step-aside.db.ts';

const schema = held.extend({ reasonCode: code.nullable(), note: optionalNote });

/** Hands the case to the moderators. */
export const POST = actRoute('case.review', schema, ({ user, input, params, pool }) =>
  escalateCase(pool, { caseId: params.id ?? '', userId: user.id, ...input }),
);
