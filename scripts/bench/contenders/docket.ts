// Docket's worker itself: the engine that `npm run worker` runs, on one run, until every item is durable.
import type { CallResult, Classifier } from '../../../lib/classifier/answer.ts';
import { makeClassifier } from '../../../lib/classifier/make.http.ts';
import { installation } from '../../../lib/db/installation.db.ts';
import { openPool } from '../../../lib/db/pool.db.ts';
import { startEngine } from '../../../worker/tasks/engine.ts';
import { workSweeps } from '../../../worker/tasks/sweeps.ts';
import { entry } from '../chat.ts';
import { clock, contender } from '../child.ts';
import { percentile } from '../figures.ts';

/** Connections of `worker/main.ts`. */
const POOL_MAX = 10;

type Job = { server?: string; url: string; runId: string; items: number; port: number; delayMs: number };

/** Notes when each answer is there. Flushes take results in the order in which they came, so the n-th is the n-th. */
function noting(classifier: Classifier, cameAt: number[]): Classifier {
  const noted = async (result: Promise<CallResult>): Promise<CallResult> => {
    const got = await result;
    cameAt.push(performance.now());
    return got;
  };
  return { ...classifier, classify: (call, signal) => noted(classifier.classify(call, signal)) };
}

await contender(async (job: Job) => {
  const pool = openPool(job.url, { applicationName: 'docket worker', max: POOL_MAX, pipeline: true });
  const installed = await installation(pool, undefined);
  if (!installed.ok) throw new Error(installed.refusal);
  const cameAt: number[] = [];
  const waitedMs: number[] = [];
  const ended = new AbortController();
  const failed: string[] = [];
  let settled = 0;
  let stop = clock(job.server);
  let measured = stop();
  const engine = await startEngine({
    pool,
    installation: installed.value,
    version: 'bench',
    log: { info: () => {}, warn: (event) => failed.push(event), thrown: (event) => failed.push(event) },
    openClassifier: (name) => {
      const made = makeClassifier(name, [entry(job.port, job.delayMs)], () => undefined);
      if (!made.ok) throw new Error(made.refusal);
      return noting(made.value, cameAt);
    },
    sweeps: (worker) => workSweeps(pool, worker),
    onlyRunId: job.runId,
    onFlush: (report) => {
      const now = performance.now();
      for (let at = settled; at < settled + report.settled; at++) waitedMs.push(now - (cameAt[at] ?? now));
      settled += report.settled;
      if (settled < job.items) return;
      measured = stop({ durableP95Ms: percentile(waitedMs, 0.95) });
      ended.abort();
    },
  });
  process.on('message', () => ended.abort());
  stop = clock(job.server);
  await engine.run(ended.signal);
  await pool.end();
  if (failed.length > 0) throw new Error(`the worker met ${failed[0]} and ${failed.length - 1} more`);
  return measured;
});
