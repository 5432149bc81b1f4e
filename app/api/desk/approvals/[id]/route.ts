import { approvalJson } from '@/app/_server/case-json.ts';
import { viewRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';

/** One action with its context, as it is now. */
export const GET = viewRoute('action.decide', nothing, ({ user, params }) => approvalJson(user, params.id ?? ''));
