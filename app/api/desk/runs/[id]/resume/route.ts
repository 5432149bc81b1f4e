import { actRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { resume } from '@/app/_server/schemas.ts';
import { may } from '@/lib/access/roles.ts';
import { refused } from '@/lib/kernel/result.ts';
import { resumeRun } from '@/lib/work/run-control.db.ts';

/** Lets a paused run go on; with another ceiling only for whoever may spend. */
export const POST = actRoute('run.control', resume, async ({ user, params, input, pool }) => {
  if (input.ceilingUnits !== undefined && !may(user.role, 'run.spend')) return refused('not_allowed');
  const run = await runId(pool, params.id);
  if (run === null) return refused('unknown_run');
  return resumeRun(pool, { runId: run, actor: `user:${user.id}`, ceilingUnits: input.ceilingUnits });
});
