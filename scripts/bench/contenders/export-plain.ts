// What an export is measured against: `cursor` only reads the rows, `script` also asks for the tries, writes each row as
// JSON into a file and hashes it.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { clock, contender } from '../child.ts';
import { EXPORT_ROWS, EXPORT_ROWS_WITH_TRIES } from '../statements.sql.ts';

const BATCH = 1_000;

await contender(async (job: { url: string; runId: string; out: string; way: 'cursor' | 'script' }) => {
  const client = new pg.Client({ connectionString: job.url });
  await client.connect();
  const file = job.way === 'script' ? await open(job.out, 'w') : null;
  const hash = createHash('sha256');
  const stop = clock();
  const statement = job.way === 'script' ? EXPORT_ROWS_WITH_TRIES : EXPORT_ROWS;
  const cursor = client.query(new Cursor(statement, [job.runId]));
  let rows = 0;
  for (;;) {
    const batch = await cursor.read(BATCH);
    if (batch.length === 0) break;
    rows += batch.length;
    if (!file) continue;
    const text = batch.map((row) => `${JSON.stringify(row)}\n`).join('');
    hash.update(text);
    await file.write(text);
  }
  await cursor.close();
  if (file) {
    hash.digest('hex');
    await file.sync();
    await file.close();
  }
  const measured = stop({ rows });
  await client.end();
  return measured;
});
