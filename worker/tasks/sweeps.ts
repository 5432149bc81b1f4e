import type { Pool } from '../../lib/db/pool.db.ts';
import { applyApproved } from '../../lib/enforcement/approve.db.ts';
import { settleDue } from '../../lib/review/settle.db.ts';
import { sweepClaims, sweepSuperseded } from '../../lib/review/sweep.db.ts';
import { completeFinishedRuns } from '../../lib/work/runs.db.ts';
import { sweepLeases } from '../../lib/work/sweep.db.ts';
import { applyWithheld } from '../../lib/work/withheld.db.ts';
import type { Log } from '../log.ts';
import { loop } from '../loop.ts';

/** Something that has to be looked after now and then. Each runs by itself: one that fails stops no other. */
export type Sweep = {
  readonly name: string;
  readonly everyMs: number;
  /** @returns how many things it changed. */
  run(): Promise<number>;
};

/** Rows that one pass of a sweep over people's acts takes up. */
const PASS_COUNT = 200;

/** What keeps runs going. */
export function workSweeps(pool: Pool, worker: () => { readonly slot: number }): Sweep[] {
  return [
    { name: 'leases', everyMs: 5_000, run: () => sweepLeases(pool, worker()) },
    { name: 'runs', everyMs: 5_000, run: () => completeFinishedRuns(pool) },
    { name: 'withheld', everyMs: 2_000, run: () => applyWithheld(pool) },
  ];
}

/** What keeps the desk going: submissions that became due, claims that expired, what newer revisions overtook. */
export function deskSweeps(pool: Pool): Sweep[] {
  return [
    {
      name: 'submissions',
      everyMs: 500,
      run: async () => {
        const { effectiveCount, refusedCount } = await settleDue(pool, { limit: PASS_COUNT });
        return effectiveCount + refusedCount;
      },
    },
    { name: 'claims', everyMs: 5_000, run: () => sweepClaims(pool) },
    {
      name: 'superseded',
      everyMs: 5_000,
      run: async () => {
        const { caseCount, actionCount } = await sweepSuperseded(pool);
        return caseCount + actionCount;
      },
    },
    { name: 'approved', everyMs: 5_000, run: () => applyApproved(pool, { limit: PASS_COUNT }) },
  ];
}

/** Runs each sweep at its pace until the signal is aborted; resolves when the last pass has ended. */
export async function runSweeps(
  sweeps: readonly Sweep[],
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  await Promise.all(
    sweeps.map((sweep) =>
      loop(
        async () => {
          const count = await sweep.run();
          if (count > 0) log.info('swept', { sweep: sweep.name, count });
          return sweep.everyMs;
        },
        { signal, onError: (thrown) => log.thrown('sweep_failed', thrown, { sweep: sweep.name }) },
      ),
    ),
  );
}
