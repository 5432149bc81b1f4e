import { isUtf8 } from 'node:buffer';
import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { csvFields, type Delimiter, type HeaderProblem, headerProblem } from './csv-columns.ts';
import { ROW_MAX_BYTES } from './row.ts';
import { type FileTally, type RawRow, withoutBom } from './tally.ts';

/** A quote that nobody closes would otherwise read the whole file into memory. */
const RECORD_MAX_BYTES = 8 * ROW_MAX_BYTES;

/** Bytes parsed at a time: every cell is an object of its own, and many of them at once are many to keep. */
const PARSE_BYTES = 16_384;

const LF = 0x0a;

type CsvRecord = { readonly cells: readonly Buffer[]; readonly bytes: number; readonly emptyLines: number };

/**
 * Reads CSV (RFC 4180), one pass. Cells are decoded strictly, each by itself. A broken quote ends the reading: nobody
 * can say where the next row begins, and guessing would lose rows without a word.
 * @param hasSource true where the import names a source for rows without one.
 * @param tally is counted up as rows are read.
 * @returns the rows of each chunk, in order; or what is wrong with the header, and nothing else.
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter, hasSource }: { readonly delimiter: Delimiter; readonly hasSource: boolean },
  tally: FileTally,
): AsyncGenerator<HeaderProblem | RawRow[]> {
  const place: Place = { line: 1, bytes: 0, emptyLines: 0 };
  let columns: string[] | null = null;
  for await (const { records, broken } of csvRecords(stripped(bytes), delimiter)) {
    const rows: RawRow[] = [];
    for (const record of records) {
      const { line, size } = advance(place, record, tally);
      if (columns === null) {
        columns = record.cells.map((cell) => cell.toString('utf8'));
        const problem = headerProblem(columns, hasSource);
        if (problem !== null) {
          yield problem;
          return;
        }
      } else if (isBlank(record.cells)) tally.blankLines++;
      else rows.push(rawRow(line, size, columns, record.cells));
    }
    if (broken !== null) {
      if (columns === null) {
        yield { problem: 'broken_quotes', column: null };
        return;
      }
      const line = place.line + (broken.emptyLines - place.emptyLines);
      rows.push({ line, fault: { code: 'invalid_csv', field: null } });
      tally.unreadableFrom = line;
      tally.truncated = broken.unclosed;
    }
    if (rows.length > 0) yield rows;
  }
  if (columns === null) yield { problem: 'empty', column: null };
}

type Broken = { readonly unclosed: boolean; readonly emptyLines: number };

/** @returns the records of each chunk; `broken` comes once, with the last, where the quoting is not whole. */
async function* csvRecords(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: Delimiter,
): AsyncGenerator<{ records: CsvRecord[]; broken: Broken | null }> {
  let records: CsvRecord[] = [];
  const parser = parse({
    delimiter,
    // Buffers: csv-parse itself would put U+FFFD where the bytes are no UTF-8.
    encoding: null,
    max_record_size: RECORD_MAX_BYTES,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    // Taken here and kept off its stream, which forgets what it holds when a later row is broken.
    on_record: (cells: unknown, at) => {
      records.push({ cells: cells as Buffer[], bytes: at.bytes, emptyLines: at.empty_lines });
      return null;
    },
  });
  parser.on('error', () => {});
  parser.resume();
  const take = (broken: Broken | null): { records: CsvRecord[]; broken: Broken | null } => {
    const taken = { records, broken };
    records = [];
    return taken;
  };
  try {
    for await (const chunk of bytes) {
      for (let at = 0; at < chunk.length; at += PARSE_BYTES) {
        await settled((done) => parser.write(chunk.subarray(at, at + PARSE_BYTES), done));
        if (records.length > 0) yield take(null);
      }
    }
    parser.end();
    await finished(parser);
    if (records.length > 0) yield take(null);
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const emptyLines = typeof thrown.empty_lines === 'number' ? thrown.empty_lines : 0;
    yield take({ unclosed: thrown.code === 'CSV_QUOTE_NOT_CLOSED', emptyLines });
  }
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

/** Where the next record begins, and what the parser had counted when the last one ended. */
type Place = { line: number; bytes: number; emptyLines: number };

/**
 * Moves past a record. Lines are counted here: csv-parse counts a CRLF within quotes as two.
 * @returns the physical line it begins on and its size in bytes.
 */
function advance(place: Place, record: CsvRecord, tally: FileTally): { line: number; size: number } {
  const blank = record.emptyLines - place.emptyLines;
  const line = place.line + blank;
  const size = record.bytes - place.bytes;
  tally.blankLines += blank;
  place.line = line + 1 + record.cells.reduce((sum, cell) => sum + newlines(cell), 0);
  place.bytes = record.bytes;
  place.emptyLines = record.emptyLines;
  return { line, size };
}

function newlines(cell: Buffer): number {
  let count = 0;
  for (let at = cell.indexOf(LF); at >= 0; at = cell.indexOf(LF, at + 1)) count++;
  return count;
}

/** A line of spaces is as blank as an empty one. */
function isBlank(record: readonly Buffer[]): boolean {
  return record.length === 1 && record[0]?.toString('latin1').trim() === '';
}

function rawRow(line: number, size: number, columns: readonly string[], record: readonly Buffer[]): RawRow {
  if (size > ROW_MAX_BYTES) return { line, fault: { code: 'row_too_large', field: null } };
  if (record.length !== columns.length) return { line, fault: { code: 'ragged_row', field: null } };
  const invalid = record.findIndex((cell) => !isUtf8(cell));
  if (invalid >= 0) return { line, fault: { code: 'invalid_utf8', field: columns[invalid] ?? null } };
  return {
    line,
    fields: csvFields(
      columns,
      record.map((cell) => cell.toString('utf8')),
    ),
  };
}

/** The byte order mark may come in a chunk of its own or cut in pieces. */
async function* stripped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const BOM_BYTES = 3;
  let head: Uint8Array | null = new Uint8Array(0);
  for await (const chunk of bytes) {
    if (head === null) {
      yield chunk;
    } else {
      head = Buffer.concat([head, chunk]);
      if (head.length >= BOM_BYTES) {
        yield withoutBom(head);
        head = null;
      }
    }
  }
  if (head !== null && head.length > 0) yield head;
}
