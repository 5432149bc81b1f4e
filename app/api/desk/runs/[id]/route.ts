import { viewRoute } from '@/app/_server/route.ts';
import { runJson } from '@/app/_server/run-json.ts';
import { nothing } from '@/app/_server/schemas.ts';

/** One run, counted from its rows. */
export const GET = viewRoute('run.read', nothing, ({ params, pool }) => runJson(pool, params.id ?? ''));
