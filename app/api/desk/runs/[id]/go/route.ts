import { actRoute } from '@/app/_server/route.ts';
import { runId } from '@/app/_server/run-json.ts';
import { go } from '@/app/_server/schemas.ts';
import { refused } from '@/lib/kernel/result.ts';
import { goRun } from '@/lib/work/go.db.ts';

/** Gives the go for all that a canary stood for. */
export const POST = actRoute('run.spend', go, async ({ user, params, input, pool }) => {
  const run = await runId(pool, params.id);
  if (run === null) return refused('unknown_run');
  const { ceilingUnits, acceptPause } = input;
  return goRun(pool, { runId: run, actor: `user:${user.id}`, ceilingUnits, acceptPause });
});
