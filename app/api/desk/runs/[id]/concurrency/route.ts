import { actRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { concurrency } from '@/app/_server/schemas.ts';
import { refused } from '@/lib/kernel/result.ts';
import { setConcurrency } from '@/lib/work/run-control.db.ts';

/** Says how many calls at a time one worker may make for the run. */
export const POST = actRoute('run.spend', concurrency, async ({ user, params, input, pool }) => {
  const run = await runId(pool, params.id);
  if (run === null) return refused('unknown_run');
  return setConcurrency(pool, { runId: run, actor: `user:${user.id}`, concurrency: input.concurrency });
});
