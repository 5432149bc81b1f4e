import { isUtf8 } from 'node:buffer';
import { isJsonObject, parseJson } from '../../kernel/json.ts';
import { type Line, lineSplitter } from '../../kernel/lines.ts';
import { ROW_MAX_BYTES } from './row.ts';
import { type FileTally, type RawRow, withoutBom } from './tally.ts';

const SPACE = 0x20;
const TAB = 0x09;
const CR = 0x0d;

/**
 * Reads NDJSON, one pass. Lines are decoded strictly, each by itself, so the result does not depend on the chunks.
 * @param tally is counted up as lines are read.
 * @returns the rows of each chunk, in order.
 */
export async function* ndjsonRows(bytes: AsyncIterable<Uint8Array>, tally: FileTally): AsyncGenerator<RawRow[]> {
  const splitter = lineSplitter(ROW_MAX_BYTES);
  for await (const chunk of bytes) {
    const lines = splitter.push(chunk);
    if (lines.length > 0) yield rowsOf(lines, tally);
  }
  const last = splitter.end();
  if (last.length > 0) yield rowsOf(last, tally);
}

function rowsOf(lines: readonly Line[], tally: FileTally): RawRow[] {
  const rows: RawRow[] = [];
  for (const line of lines) {
    const row = rowOf(line);
    if (row === null) tally.blankLines++;
    else rows.push(row);
    if (!line.ended && row !== null && 'fault' in row && row.fault.code !== 'wrong_type') tally.truncated = true;
  }
  return rows;
}

/** @returns the row, or null for a blank line. */
function rowOf({ number, bytes }: Line): RawRow | null {
  const line = number;
  if (bytes === null) return { line, fault: { code: 'row_too_large', field: null } };
  const own = number === 1 ? withoutBom(bytes) : bytes;
  if (isBlank(own)) return null;
  if (!isUtf8(own)) return { line, fault: { code: 'invalid_utf8', field: null } };
  const read = parseJson(Buffer.from(own.buffer, own.byteOffset, own.byteLength).toString('utf8'));
  if (!read.ok) {
    return { line, fault: { code: read.fault === 'duplicate_key' ? 'duplicate_key' : 'invalid_json', field: null } };
  }
  if (!isJsonObject(read.value)) return { line, fault: { code: 'wrong_type', field: null } };
  return { line, fields: read.value };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === SPACE || byte === TAB || byte === CR);
}
