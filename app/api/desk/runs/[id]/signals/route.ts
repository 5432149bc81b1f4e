import { viewRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { runSignals } from '@/lib/work/signals.db.ts';

/** How the latest items of a run went: shown before its bound is raised. */
export const GET = viewRoute('run.read', nothing, async ({ params, pool }) => {
  const run = await runId(pool, params.id);
  return run === null ? null : runSignals(pool, run);
});
