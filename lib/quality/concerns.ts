import { never } from '../kernel/result.ts';

/** What is wrong with the desk's work, in the order in which it matters. */
export type Concern =
  /** Items wait in running runs and no worker has been seen. */
  | { readonly kind: 'no_worker'; readonly items: number }
  /** A run stands still and not because somebody paused it. */
  | { readonly kind: 'run_paused'; readonly runId: string; readonly name: string; readonly reason: string };

type RunFacts = {
  readonly id: string;
  readonly name: string;
  readonly state: 'waiting' | 'running' | 'paused';
  readonly pauseReason: string | null;
  readonly scheduled: boolean;
  readonly pending: number;
  readonly leased: number;
};

/** @returns what is wrong; empty where nothing is. A run that was paused by hand or waits for its time is not wrong. */
export function concerns(facts: {
  readonly workers: readonly unknown[];
  readonly runs: readonly RunFacts[];
}): Concern[] {
  const found: Concern[] = [];
  const waiting = facts.runs
    .filter((run) => run.state === 'running' && !run.scheduled)
    .reduce((sum, run) => sum + run.pending + run.leased, 0);
  if (waiting > 0 && facts.workers.length === 0) found.push({ kind: 'no_worker', items: waiting });
  for (const run of facts.runs) {
    if (stoppedBySystem(run)) {
      found.push({ kind: 'run_paused', runId: run.id, name: run.name, reason: run.pauseReason ?? 'unknown' });
    }
  }
  return found;
}

function stoppedBySystem(run: RunFacts): boolean {
  switch (run.state) {
    case 'paused':
      return run.pauseReason !== 'operator';
    case 'waiting':
    case 'running':
      return false;
    default:
      return never(run.state);
  }
}
