// Docket's import of one file, and where it is asked for the admission of a run, as `docket import` and `docket run start`
// do them.
import { importFiles } from '../../../lib/content/import/import-files.db.ts';
import { openPool } from '../../../lib/db/pool.db.ts';
import { publishPolicy } from '../../../lib/policy/publish.db.ts';
import { startRun } from '../../../lib/work/start-run.db.ts';
import { CLASSIFIER, MODEL, policyText } from '../chat.ts';
import { clock, contender } from '../child.ts';

await contender(async (job: { url: string; file: string; admit: boolean }) => {
  const pool = openPool(job.url, { applicationName: 'docket cli' });
  const published = await publishPolicy(pool, { text: policyText(), actor: 'cli' });
  if (!published.ok) throw new Error('the policy is refused');
  let readMs = 0;
  const started = performance.now();
  const stop = clock();
  const files = [{ path: job.file, name: 'rows.ndjson' }];
  const imported = await importFiles(pool, { files, snapshotName: 'rows', actor: 'cli' }, ({ stage }) => {
    if (stage === 'merging') readMs = performance.now() - started;
  });
  if (!imported.ok) throw new Error(`the import is refused: ${imported.refusal}`);
  const importedMs = performance.now() - started;
  if (job.admit) {
    const run = await startRun(pool, {
      snapshot: 'rows',
      policyVersion: published.value.policyVersion,
      mode: 'record',
      classifier: { name: CLASSIFIER, adapter: 'openai-chat', models: [MODEL] },
      concurrency: 8,
      actor: 'cli',
    });
    if (!run.ok) throw new Error(`the run is refused: ${run.refusal}`);
  }
  const measured = stop({ readMs, importedMs });
  await pool.end();
  return measured;
});
