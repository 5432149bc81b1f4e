import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import { copyLine } from './copy-text.ts';
import type { ImportRow } from './row.ts';
import {
  COPY_ROWS,
  CREATE_GOLD,
  CREATE_KEYS,
  CREATE_STAGING,
  FILL_GOLD,
  NOTICE_LOST_CLIENT,
  REJECT_GOLD_IN_FILE,
  REJECT_REVISIONS_IN_FILE,
  REJECT_TYPES_AND_SOURCES_IN_FILE,
  SELECT_ODD,
} from './staging.sql.ts';

/** Characters sent to PostgreSQL at a time: a write for each row costs ten times as much. */
const COPY_CHUNK_CHARACTERS = 65_536;

/** Where an accepted row stands: which input, counted from 0, and on which physical line. */
export type RowPlace = { readonly file: number; readonly line: number };

/** Takes rows for the staging table. */
export type Staging = {
  /** Adds a row; await `drained` now and then, or memory is not bounded. */
  add(row: ImportRow, place: RowPlace): void;
  drained(): Promise<void>;
  /** Sends the rest and finds what contradicts itself within the rows. @returns how many rows were added. */
  close(): Promise<number>;
};

/**
 * Opens the staging table of one import on its own connection. Nothing here touches a table that others see.
 * @param client stays with the import until its end and is then closed, which drops the table.
 */
export async function openStaging(client: PoolClient): Promise<Staging> {
  // Not every platform of a server can do it; without it the server notices when it has finished, and rolls back then.
  await client.query(NOTICE_LOST_CLIENT).catch(() => {});
  await client.query(CREATE_STAGING);
  const copy = client.query(from(COPY_ROWS));
  // An error reaches the next await; without a listener it would end the process.
  copy.on('error', () => {});
  let held = '';
  let count = 0;
  let hasGold = false;
  let full = false;
  const send = (): void => {
    if (held === '') return;
    if (!copy.write(Buffer.from(held, 'utf8'))) full = true;
    held = '';
  };
  return {
    add: (row, place) => {
      held += copyLine(columns(row, place, count));
      count++;
      hasGold ||= row.gold !== null;
      if (held.length >= COPY_CHUNK_CHARACTERS) send();
    },
    drained: async () => {
      if (copy.errored) throw copy.errored;
      if (!full) return;
      full = false;
      if (copy.writableNeedDrain) await once(copy, 'drain');
    },
    close: async () => {
      send();
      copy.end();
      await finished(copy);
      await client.query(CREATE_KEYS);
      await rejectOdd(client);
      await client.query(CREATE_GOLD);
      if (hasGold) {
        await client.query(FILL_GOLD);
        await client.query(REJECT_GOLD_IN_FILE);
      }
      return count;
    },
  };
}

/** What contradicts itself within the rows; nearly always nothing does, and then nothing is looked for. */
async function rejectOdd(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ odd: boolean }>(SELECT_ODD);
  if (!rows[0]?.odd) return;
  await client.query(REJECT_TYPES_AND_SOURCES_IN_FILE);
  await client.query(REJECT_REVISIONS_IN_FILE);
}

/** In the order of COPY_ROWS. */
function columns(row: ImportRow, { file, line }: RowPlace, ordinal: number): (string | number | null)[] {
  return [
    ordinal,
    file,
    line,
    row.contentId,
    row.contentType,
    row.revision,
    row.source,
    row.text,
    row.title,
    row.authorId,
    row.authorName,
    row.parentId,
    row.parentText,
    row.threadId,
    row.url,
    row.language,
    row.createdAt,
    row.textSha256,
    row.inputSha256,
    row.textBytes,
    row.codePoints,
    row.gold?.kind ?? null,
    row.gold === null ? null : JSON.stringify(row.gold.values),
  ];
}
