// The least that an import can do: read the file, parse each line, hash the text, COPY it under a primary key.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { sha256Hex } from '../../../lib/kernel/hash.ts';
import { clock, contender } from '../child.ts';
import { COPY_COPIED, CREATE_COPIED } from '../statements.sql.ts';

const CHUNK_CHARACTERS = 65_536;

/** The corpus holds no backslash, tab or line break. */
async function* copyText(file: string): AsyncGenerator<Buffer> {
  let held = '';
  for await (const line of createInterface({ input: createReadStream(file, { highWaterMark: 262_144 }) })) {
    const row = JSON.parse(line);
    held += `${row.content_id}\t${row.revision}\t${row.content_type}\t${row.source}\t${row.text}\t${sha256Hex(row.text)}\n`;
    if (held.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(held);
    held = '';
  }
  yield Buffer.from(held);
}

await contender(async (job: { url: string; file: string }) => {
  const client = new pg.Client({ connectionString: job.url });
  await client.connect();
  await client.query(CREATE_COPIED);
  const stop = clock();
  await pipeline(Readable.from(copyText(job.file)), client.query(from(COPY_COPIED)));
  const measured = stop();
  await client.end();
  return measured;
});
