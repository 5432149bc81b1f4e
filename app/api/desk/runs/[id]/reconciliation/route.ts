import { reconciliationJson } from '@/app/_server/reconciliation-json.ts';
import { viewRoute } from '@/app/_server/route.ts';
import { nothing } from '@/app/_server/schemas.ts';

/** The arithmetic of one run, counted anew. */
export const GET = viewRoute('run.read', nothing, ({ params, pool }) => reconciliationJson(pool, params.id));
