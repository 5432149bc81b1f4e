// Docket's export of one run: counted, written, verified, renamed, published. And its reconciliation by itself.

import { openPool } from '../../../lib/db/pool.db.ts';
import { exportRun } from '../../../lib/exports/export-run.db.ts';
import { reconcile } from '../../../lib/work/reconcile.db.ts';
import { clock, contender } from '../child.ts';

await contender(async (job: { url: string; runId: string; out: string }) => {
  const pool = openPool(job.url, { applicationName: 'docket cli' });
  const before = performance.now();
  const reconciled = await reconcile(pool, job.runId);
  const reconcileMs = performance.now() - before;
  if (!reconciled.closes) throw new Error('the run does not reconcile');
  const at = { written: 0, verified: 0, published: 0 };
  const started = performance.now();
  const stop = clock();
  const exported = await exportRun(pool, {
    run: job.runId,
    outFolder: job.out,
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket: { version: 'bench', commit: null },
    onStage: ({ stage }) => {
      if (stage === 'built') at.written = performance.now() - started;
      if (stage === 'verified') at.verified = performance.now() - started;
    },
  });
  if (!exported.ok) throw new Error(`the export is refused: ${exported.refusal}`);
  const measured = stop({ reconcileMs, writtenMs: at.written, rows: exported.value.rows, path: exported.value.path });
  await pool.end();
  return measured;
});
