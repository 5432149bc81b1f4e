import type { RejectedRow } from '../lib/content/import/fault.ts';
import type { InputProblem } from '../lib/content/import/input-rows.ts';
import type { ImportRefusal, ImportReport, ReadReport } from '../lib/content/import/report.ts';
import type { LookAlike } from '../lib/content/import/sniff.ts';

/** Rejected rows that are shown to people; --json tells up to 1,000. */
const SHOWN_COUNT = 20;

const LOOK_ALIKES: Readonly<Record<LookAlike, string>> = {
  gzip: 'it looks like a gzip file; unpack it first',
  zip: 'it looks like a ZIP archive or an Excel workbook; unpack it, or save the sheet as CSV',
  utf16: 'it looks like UTF-16; save it as UTF-8',
  markup: 'it looks like HTML or XML',
  javascript: 'it looks like a JavaScript archive (NAME = …), as platforms hand out; take the JSON out of it first',
  json_array: "it looks like one JSON array; write one object a line, for example with jq -c '.[]'",
  json_document:
    'it looks like one JSON document over several lines; write one object a line, for example with jq -c .',
  ndjson: 'it looks like NDJSON; say --format ndjson',
  csv: 'it looks like CSV; say --format csv',
};

const OPTIONS = {
  snapshotName: '--snapshot takes 1 to 200 bytes without control characters that are not written like an id',
  source: '--source takes 1 to 256 bytes without control characters',
  idPrefix: '--id-prefix takes 1 to 128 bytes without control characters',
} as const;

const NAMED_DELIMITERS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;

/** @returns the code and the sentence of an import that committed nothing. */
export function refusalWords(
  refused: ImportRefusal,
  snapshotName: string | undefined,
): { code: string; message: string } {
  switch (refused.refusal) {
    case 'bad_option':
      return { code: 'bad_option', message: OPTIONS[refused.option] };
    case 'no_such_file':
      return { code: refused.refusal, message: `there is no file ${refused.file}` };
    case 'not_a_file':
      return { code: refused.refusal, message: `${refused.file} is a folder` };
    case 'not_readable':
      return { code: refused.refusal, message: `${refused.file} may not be read` };
    case 'bad_file':
      return { code: refused.problem.code, message: problemWords(refused.file, refused.problem) };
    case 'rejected_rows':
      return {
        code: 'rejected_rows',
        message: `nothing was imported: ${rows(refused.report.rejectedCount)} rejected; --skip-bad imports the others`,
      };
    case 'unreadable_rest': {
      const broken = refused.report.files.find((file) => file.unreadableFrom !== null);
      return {
        code: 'unreadable_rest',
        message: `nothing was imported: a quote in ${broken?.file ?? 'a file'} is broken at line ${broken?.unreadableFrom ?? '?'}, and what follows cannot be told apart for certain`,
      };
    }
    case 'empty_snapshot':
      return { code: 'empty_snapshot', message: 'nothing was imported: there is no row to make a snapshot of' };
    case 'snapshot_name_taken':
      return {
        code: 'snapshot_name_taken',
        message: `nothing was imported: the name ${snapshotName ?? 'of the file'} belongs to a snapshot with other members; say --snapshot OTHER_NAME`,
      };
  }
}

function problemWords(file: string, problem: InputProblem): string {
  if (problem.code !== 'bad_header') {
    const expected = problem.code === 'not_csv' ? 'CSV' : 'NDJSON';
    return `${file} is not ${expected}: ${LOOK_ALIKES[problem.looksLike]}`;
  }
  const column = problem.header.column ?? 'one whose name is no field name';
  switch (problem.header.problem) {
    case 'unknown_column':
      return `the header of ${file} has a column that Docket does not know: ${column}`;
    case 'repeated_column':
      return `the header of ${file} has a column twice: ${column}`;
    case 'missing_column':
      return `the header of ${file} lacks the column ${column}`;
    case 'no_source':
      return `the header of ${file} has no column source; say --source NAME`;
    case 'broken_quotes':
      return `the quoting in ${file} is broken before its first row`;
    case 'empty':
      return `${file} is empty`;
  }
}

/** @returns the lines about what was read, good or bad. */
export function readingWords(report: ReadReport): string[] {
  const lines: string[] = [];
  for (const file of report.files) {
    if (file.delimiter !== null && file.delimiter !== ',') {
      lines.push(`${file.file}: columns are separated by ${NAMED_DELIMITERS[file.delimiter]}`);
    }
    if (file.truncated) lines.push(`${file.file}: the last row is cut off; the file is probably not all there`);
  }
  if (report.blankLines > 0) lines.push(`${count(report.blankLines)} blank lines`);
  if (report.doubleEncoded > 0) {
    lines.push(`${rows(report.doubleEncoded)} look like UTF-8 encoded twice; imported exactly as given`);
  }
  return [...lines, ...rejectedWords(report)];
}

function rejectedWords(report: ReadReport): string[] {
  if (report.rejectedCount === 0) return [];
  const shown = report.rejected.slice(0, SHOWN_COUNT);
  const rest = report.rejectedCount - shown.length;
  return [
    `${rows(report.rejectedCount)} rejected:`,
    ...shown.map(rejectedLine),
    ...(rest > 0 ? [`  and ${count(rest)} more; --json lists up to 1,000`] : []),
  ];
}

function rejectedLine(row: RejectedRow): string {
  return `  ${row.file}:${row.line} ${row.code}${row.field === null ? '' : ` (${row.field})`}`;
}

/** @returns the lines about an import that was committed. */
export function importedWords(report: ImportReport): string[] {
  return [
    `snapshot ${report.snapshot}: ${count(report.revisions)} revisions`,
    `sha256 ${report.sha256}`,
    report.added === 0
      ? `nothing new: all ${count(report.revisions)} revisions were already known`
      : `${count(report.added)} added, ${count(report.alreadyKnown)} already known`,
    ...(report.edited > 0 ? [`${count(report.edited)} known items have a new current revision`] : []),
    ...(report.unpublished > 0 ? [`${count(report.unpublished)} of them were published and wait again`] : []),
    ...report.by.map((one) => `  ${one.source} (${one.kind}) ${one.contentType}: ${count(one.revisions)}`),
    ...readingWords(report),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function rows(value: number): string {
  return value === 1 ? '1 row' : `${count(value)} rows`;
}
