import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { csvFields, type Delimiter, type HeaderProblem, headerProblem } from './csv-columns.ts';
import { ROW_MAX_BYTES } from './lines.ts';
import { type FileTally, type RawRow, withoutBom } from './tally.ts';

/** Rows handed on together. */
const ROWS_A_BATCH = 256;
/** A quote that nobody closes would otherwise read the whole file into memory. */
const RECORD_MAX_BYTES = 8 * ROW_MAX_BYTES;

type CsvRecord = {
  readonly record: readonly Buffer[];
  readonly info: { readonly lines: number; readonly empty_lines: number; readonly bytes: number };
};

/**
 * Reads CSV (RFC 4180), one pass. Cells are decoded strictly, each by itself. A broken quote ends the reading: nobody
 * can say where the next row begins, and guessing would lose rows without a word.
 * @param hasSource true where the import names a source for rows without one.
 * @param tally is counted up as rows are read.
 * @returns batches of rows; or what is wrong with the header, and nothing else.
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  { delimiter, hasSource }: { readonly delimiter: Delimiter; readonly hasSource: boolean },
  tally: FileTally,
): AsyncGenerator<HeaderProblem | RawRow[]> {
  const parser = Readable.from(stripped(bytes), { objectMode: false }).pipe(
    parse({
      delimiter,
      // Buffers: csv-parse itself would put U+FFFD where the bytes are no UTF-8.
      encoding: null,
      info: true,
      max_record_size: RECORD_MAX_BYTES,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
    }),
  );
  const place = { line: 1, bytes: 0, emptyLines: 0 };
  let columns: string[] | null = null;
  let batch: RawRow[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      const emptyLines = info.empty_lines - place.emptyLines;
      const line = place.line + emptyLines;
      const size = info.bytes - place.bytes;
      place.line = info.lines + 1;
      place.bytes = info.bytes;
      place.emptyLines = info.empty_lines;
      tally.blankLines += emptyLines;
      if (columns === null) {
        columns = record.map((cell) => cell.toString('utf8'));
        const problem = headerProblem(columns, hasSource);
        if (problem !== null) {
          yield problem;
          return;
        }
        continue;
      }
      if (isBlank(record)) {
        tally.blankLines++;
        continue;
      }
      batch.push(rawRow(line, size, columns, record));
      if (batch.length >= ROWS_A_BATCH) {
        yield batch;
        batch = [];
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    if (columns === null) {
      yield { problem: 'broken_quotes', column: null };
      return;
    }
    batch.push({ line: place.line, fault: { code: 'invalid_csv', field: null } });
    tally.unreadableFrom = place.line;
    tally.truncated = thrown.code === 'CSV_QUOTE_NOT_CLOSED';
  }
  if (columns === null) yield { problem: 'empty', column: null };
  if (batch.length > 0) yield batch;
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
