import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { canonicalJson } from '../kernel/canonical.ts';
import { cutLines, type Line } from './lines.ts';
import { copyDecisions, copyExceptions, FIELD_SEPARATOR, type RowsWanted } from './rows.sql.ts';
import type { CountedRow } from './tally.ts';

/** Rows as they are written into the bundle, and what each of them counts as. */
export type Batch = { readonly text: string; readonly rows: readonly CountedRow[] };

/**
 * The connection that reads. A copy that is left halfway cannot be ended in order: `broken` then says why the connection
 * must be thrown away, and nothing more may be asked on it.
 */
export type Reader = { readonly client: pg.PoolClient; broken: Error | undefined };

/**
 * @param reader inside the reading transaction.
 * @returns batches of decision rows in the order of the bundle, no faster than they are taken.
 */
export function readDecisions(reader: Reader, wanted: RowsWanted): AsyncGenerator<Batch, void> {
  const sources = new Map<string, string>();
  return readCopy(reader, copyDecisions(wanted), (line) => {
    const [source, type, verdict, deduplicated, head, because, middle, classification, tail] = fields(line, 9);
    return {
      text: `${head}${canonical(because)}${middle}${canonical(classification)}${tail}\n`,
      row: {
        source: sourceOf(sources, source),
        content_type: type,
        verdict: verdict as NonNullable<CountedRow['verdict']>,
        ...(deduplicated === 't' ? { deduplicated: true } : {}),
      },
    };
  });
}

/** As readDecisions, the exceptions. */
export function readExceptions(reader: Reader, wanted: RowsWanted): AsyncGenerator<Batch, void> {
  const sources = new Map<string, string>();
  return readCopy(reader, copyExceptions(wanted), (line) => {
    const [source, type, row] = fields(line, 3);
    return { text: `${row}\n`, row: { source: sourceOf(sources, source), content_type: type } };
  });
}

type Fields = [string, string, string, string, string, string, string, string, string];

function fields(line: string, count: number): Fields {
  const found = line.split(FIELD_SEPARATOR);
  if (found.length !== count) throw new Error('a line of another form came from the database');
  return found as Fields;
}

/** Sources are few: each is read from its JSON once. */
function sourceOf(known: Map<string, string>, json: string): string {
  const found = known.get(json) ?? (JSON.parse(json) as string);
  known.set(json, found);
  return found;
}

/** A jsonb value keeps the digits that were written into it, so its numbers are read as what they were. */
function canonical(json: string): string {
  return json === '[]' ? json : canonicalJson(JSON.parse(json));
}

async function* readCopy(
  reader: Reader,
  statement: string,
  read: (line: string) => { readonly text: string; readonly row: CountedRow },
): AsyncGenerator<Batch, void> {
  const cutter = cutLines();
  const batchOf = (lines: readonly Line[]): Batch => {
    let text = '';
    const rows = lines.map((line) => {
      if (line.text === null) throw new Error('a line of the database is broken');
      const one = read(line.text);
      text += one.text;
      return one.row;
    });
    return { text, rows };
  };
  // Until it has come to its end, the connection is inside the copy.
  reader.broken = new Error('a copy was left halfway');
  for await (const chunk of reader.client.query(copyTo(statement))) yield batchOf(cutter.push(chunk));
  if (cutter.end().length > 0) throw new Error('the last line of the database is cut');
  reader.broken = undefined;
}
