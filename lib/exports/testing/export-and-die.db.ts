import { openPool } from '../../db/pool.db.ts';
import type { ExportStage } from '../build.db.ts';
import { exportRun } from '../export-run.db.ts';

/** A process of its own that exports a run and kills itself, without warning, at a named point. */
const [url = '', run = '', outFolder = '', point = ''] = process.argv.slice(2);

function reached(stage: ExportStage): boolean {
  if (stage.stage !== 'rows') return stage.stage === point;
  return point === (stage.written === 0 ? 'rows_none' : stage.written < stage.of ? 'rows_some' : 'rows_all');
}

const result = await exportRun(openPool(url), {
  run,
  outFolder,
  gzip: false,
  purpose: null,
  actor: 'cli',
  docket: { version: '0.1.0', commit: null },
  onStage: (stage) => {
    if (reached(stage)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(JSON.stringify(result));
process.exit(0);
