import { actRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { nothing } from '@/app/_server/schemas.ts';
import { refused } from '@/lib/kernel/result.ts';
import { resumeRun } from '@/lib/work/run-control.db.ts';

/** Lets a paused run go on. */
export const POST = actRoute('run.control', nothing, async ({ user, params, pool }) => {
  const run = await runId(pool, params.id);
  if (run === null) return refused('unknown_run');
  return resumeRun(pool, { runId: run, actor: `user:${user.id}` });
});
