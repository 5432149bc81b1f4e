import { installation } from '../lib/db/installation.db.ts';
import type { Pool } from '../lib/db/pool.db.ts';
import type { FlushReport } from '../lib/work/settle.db.ts';
import { openClassifier, operatorClassifiers } from './classifiers.ts';
import { CliError } from './command.ts';
import type { WorkerEnv } from './env.ts';
import type { Log } from './log.ts';
import { type Engine, startEngine } from './tasks/engine.ts';
import { deskSweeps, workSweeps } from './tasks/sweeps.ts';
import { DOCKET_VERSION } from './version.ts';

/**
 * Makes a worker of this process.
 * @param only where given, this run alone is worked on and the desk is left to others.
 * @throws CliError `wrong_environment` where the database belongs to another environment than this process was told: a
 * restored copy must not act for the original; and what `operatorClassifiers` throws.
 */
export async function makeWorker(
  pool: Pool,
  env: WorkerEnv,
  log: Log,
  only?: { readonly runId: string; onFlush(report: FlushReport): void },
): Promise<Engine> {
  const installed = await installation(pool, env.environment);
  if (!installed.ok) {
    throw new CliError(
      'wrong_environment',
      'this database belongs to another environment than DOCKET_ENVIRONMENT says',
    );
  }
  const entries = await operatorClassifiers(env);
  return startEngine({
    pool,
    installation: installed.value,
    version: DOCKET_VERSION,
    log,
    openClassifier: (name) => openClassifier(name, entries, env),
    sweeps: (worker) => (only ? workSweeps(pool, worker) : [...workSweeps(pool, worker), ...deskSweeps(pool)]),
    ...(only && { onlyRunId: only.runId, onFlush: only.onFlush }),
  });
}
