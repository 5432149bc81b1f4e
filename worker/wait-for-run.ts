import { BUILTIN_NAME } from '../lib/classifier/config.ts';
import { runProgress } from '../lib/work/run-summary.db.ts';
import { findRun, type Run } from '../lib/work/runs.db.ts';
import { applyWithheld } from '../lib/work/withheld.db.ts';
import { aliveWorkers } from '../lib/work/workers.db.ts';
import type { CommandContext } from './command.ts';
import { silentLog } from './log.ts';
import { pause } from './loop.ts';
import { makeWorker } from './work.ts';

/** How often the run is looked at. */
const LOOK_MS = 200;

/**
 * Waits until the run is complete, paused, cancelled or waiting for its go, with progress on a terminal. Where no worker is alive, or
 * none may be able to, this process does the work itself; where one is, it watches and takes over should that one fall silent.
 * @returns the run as it ended.
 * @throws where the command is interrupted; before that, calls under way have ended and leases are given back.
 */
export async function waitForRun(context: CommandContext, runId: string): Promise<Run> {
  for (;;) {
    const run = await look(context, runId);
    if (run) {
      // Where no worker lives nobody else would come to it.
      if (run.state === 'complete' && run.canaryCount !== null) await applyWithheld(context.pool);
      return run;
    }
    if (await isOurs(context, runId)) await workOn(context, runId);
    await pause(LOOK_MS, context.signal);
    context.signal.throwIfAborted();
  }
}

/**
 * Where no worker is alive the work is ours; and where the run asks a classifier of the operator's file, which this
 * process has and a worker that was started without it has not. Leases keep the two apart.
 */
async function isOurs(context: CommandContext, runId: string): Promise<boolean> {
  if ((await aliveWorkers(context.pool)).length === 0) return true;
  return (await findRun(context.pool, runId))?.classifier !== BUILTIN_NAME;
}

/** Shows progress. @returns the run where nothing will move it by itself any more. */
async function look(context: CommandContext, runId: string): Promise<Run | null> {
  const run = await findRun(context.pool, runId);
  if (!run) throw new Error('a run vanished');
  if (run.state !== 'running') return run;
  const progress = await runProgress(context.pool, run);
  const done = progress.decisions + progress.exceptions;
  const share = progress.revisions === 0 ? 100 : Math.floor((100 * done) / progress.revisions);
  context.progress(`${run.name}: ${done} of ${progress.revisions} (${share}%), ${progress.exceptions} exceptions`);
  return null;
}

async function workOn(context: CommandContext, runId: string): Promise<void> {
  const engine = await makeWorker(context.pool, context.env, silentLog(), { runId, onFlush: () => {} });
  const ended = new AbortController();
  const watching = (async () => {
    while (!context.signal.aborted && !(await look(context, runId))) await pause(LOOK_MS, context.signal);
  })().finally(() => ended.abort());
  // What watching throws ends the work first and is thrown then.
  await Promise.all([watching.catch(() => {}), engine.run(ended.signal)]);
  await watching;
}
