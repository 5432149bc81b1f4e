import { caseJson } from '@/app/_server/case-json.ts';
import { viewRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';

/** One case with its context, as it is now. */
export const GET = viewRoute('case.review', nothing, ({ user, params }) => caseJson(user, params.id ?? ''));
