import { JsonNumber, type JsonValue, parseJson } from '../../kernel/json.ts';
import { shownField } from './fault.ts';
import { OPTIONAL_FIELDS, REQUIRED_FIELDS, type RowFields } from './row.ts';

export const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

const GOLD_PREFIX = 'gold.';
const KNOWN: ReadonlySet<string> = new Set([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]);
const REQUIRED: ReadonlySet<string> = new Set(REQUIRED_FIELDS);

/**
 * Finds out what separates the columns: the comma, unless the header only makes sense with a semicolon or a tab.
 * @param header the first line of the file.
 */
export function delimiterOf(header: string): Delimiter {
  const named = (delimiter: Delimiter): boolean =>
    header
      .split(delimiter)
      .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
      .includes('content_id');
  return DELIMITERS.find(named) ?? ',';
}

/** Why a header is refused; `column` where one is to blame and its name is fit to be shown. */
export type HeaderProblem = {
  readonly problem: 'unknown_column' | 'repeated_column' | 'missing_column' | 'no_source' | 'broken_quotes' | 'empty';
  readonly column: string | null;
};

/**
 * Judges the header before row 1: every column known, none twice, none of the required missing.
 * @param hasSource true where the import names a source for rows without one.
 * @returns the first problem, or null.
 */
export function headerProblem(columns: readonly string[], hasSource: boolean): HeaderProblem | null {
  const seen = new Set<string>();
  for (const column of columns) {
    const isGold = column.startsWith(GOLD_PREFIX) && column.length > GOLD_PREFIX.length;
    if (!isGold && !KNOWN.has(column)) return { problem: 'unknown_column', column: shownField(column) };
    if (seen.has(column)) return { problem: 'repeated_column', column: shownField(column) };
    seen.add(column);
  }
  const missing = REQUIRED_FIELDS.find((name) => !seen.has(name));
  if (missing) return { problem: 'missing_column', column: missing };
  return seen.has('source') || hasSource ? null : { problem: 'no_source', column: 'source' };
}

/**
 * Turns the cells of one row into members. Every cell is a string and stays as it is; an empty cell of an optional
 * column is absent, an empty text is empty text.
 */
export function csvFields(columns: readonly string[], cells: readonly string[]): RowFields {
  const fields: { [name: string]: JsonValue } = Object.create(null);
  let labels: { [name: string]: JsonValue } | null = null;
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i] ?? '';
    const cell = cells[i] ?? '';
    if (column.startsWith(GOLD_PREFIX)) {
      if (cell === '') continue;
      labels ??= Object.create(null) as { [name: string]: JsonValue };
      labels[column.slice(GOLD_PREFIX.length)] = cell === '0' || cell === '1' ? new JsonNumber(cell) : cell;
    } else if (cell !== '' || REQUIRED.has(column)) {
      fields[column] = column === 'gold' ? goldCell(cell) : cell;
    }
  }
  // Both ways of naming gold must not meet in one row: an array is a value that no reader of gold accepts.
  if (labels !== null) fields.gold = fields.gold === undefined ? labels : [];
  return fields;
}

function goldCell(cell: string): JsonValue {
  if (!cell.startsWith('{')) return cell;
  const read = parseJson(cell);
  return read.ok ? read.value : cell;
}
