import type { Pool } from '../lib/db/pool.db.ts';
import { type RunSummary, runSummary } from '../lib/work/run-summary.db.ts';
import { findRun, type Run } from '../lib/work/runs.db.ts';
import { CliError } from './command.ts';

/** @returns the run of that id or name. @throws CliError `unknown_run`. */
export async function requireRun(pool: Pool, nameOrId: string): Promise<Run> {
  const run = await findRun(pool, nameOrId);
  if (!run) throw new CliError('unknown_run', `there is no run "${nameOrId}"`);
  return run;
}

/** @returns the summary of a run that is known to exist. */
export async function summaryOf(pool: Pool, runId: string): Promise<RunSummary> {
  const summary = await runSummary(pool, runId);
  if (!summary) throw new Error('a run vanished');
  return summary;
}
