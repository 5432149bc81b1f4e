import { actRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { refused } from '@/lib/kernel/result.ts';
import { pauseRun } from '@/lib/work/run-control.db.ts';

/** Lets nothing more of the run be sent to its classifier. */
export const POST = actRoute('run.control', nothing, async ({ user, params, pool }) => {
  const run = await runId(pool, params.id);
  if (run === null) return refused('unknown_run');
  return pauseRun(pool, { runId: run, actor: `user:${user.id}`, reason: 'operator' });
});
