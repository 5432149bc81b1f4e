import type { Classifier } from '../../lib/classifier/answer.ts';
import { installation } from '../../lib/db/installation.db.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import { silentLog } from '../log.ts';
import { startEngine } from '../tasks/engine.ts';

/**
 * Works on one run in this process until `enough` says so; then everything drains.
 * @param job.workers so many engines, each with its own registration.
 * @param job.coolFactor shortens the breaker's waits.
 * @param job.onEvent is told what the engines log.
 * @param job.between is done between two looks.
 */
export async function workOn(
  pool: Pool,
  runId: string,
  job: {
    readonly classifier: Classifier;
    readonly workers?: number;
    readonly coolFactor?: number;
    onEvent?(event: string): void;
    between(): Promise<unknown>;
    enough(): Promise<boolean>;
  },
): Promise<void> {
  const installed = await installation(pool, undefined);
  if (!installed.ok) throw new Error('no installation');
  const stop = new AbortController();
  const working = Array.from({ length: job.workers ?? 1 }, async () => {
    const engine = await startEngine({
      pool,
      installation: installed.value,
      version: 'test',
      log: { ...silentLog(), info: (event) => job.onEvent?.(event) },
      openClassifier: () => job.classifier,
      sweeps: () => [],
      onlyRunId: runId,
      ...(job.coolFactor !== undefined && { coolFactor: job.coolFactor }),
    });
    await engine.run(stop.signal);
  });
  while (!(await job.enough())) await job.between();
  stop.abort();
  await Promise.all(working);
}
