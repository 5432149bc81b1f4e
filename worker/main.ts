import { openPool } from '../lib/db/pool.db.ts';
import { publishShipped } from '../lib/policy/publish.db.ts';
import { CliError } from './command.ts';
import { readEnv } from './env.ts';
import { jsonLog } from './log.ts';
import { onStopSignals } from './stop-signals.ts';
import { makeWorker } from './work.ts';

/** A drain that was told to hurry may take this long before the process ends anyway; leases left behind expire. */
const HURRY_MS = 2_000;
/** Connections at most: flushes, leases and attempts of several runs side by side, and the sweeps. */
const POOL_MAX = 10;

const log = jsonLog();

/** The worker process: works until SIGTERM or SIGINT, then drains. A second signal lets go of everything at once. */
async function main(): Promise<number> {
  const read = readEnv(process.env);
  if (!read.ok) throw new CliError('bad_environment', read.problems.join('; '));
  const { env } = read;
  if (env.databaseUrl === undefined) throw new CliError('no_database', 'DATABASE_URL is not set');
  const pool = openPool(env.databaseUrl, { applicationName: 'docket worker', max: POOL_MAX, pipeline: true });
  try {
    await publishShipped(pool, { ours: env.prepare });
    const engine = await makeWorker(pool, env, log);
    const stop = new AbortController();
    onStopSignals(
      () => stop.abort(),
      () => {
        log.info('hurrying');
        engine.hurry();
        setTimeout(() => process.exit(130), HURRY_MS).unref();
      },
    );
    log.info('worker_started', { slot: engine.slot });
    await engine.run(stop.signal);
    log.info('worker_stopped', { slot: engine.slot });
    return 0;
  } finally {
    await pool.end();
  }
}

process.exitCode = await main().catch((thrown: unknown) => {
  if (thrown instanceof CliError) log.warn('refused', { code: thrown.code, message: thrown.message });
  else log.thrown('worker_failed', thrown);
  return 2;
});
