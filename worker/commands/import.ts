import path from 'node:path';
import { importFiles } from '../../lib/content/import/import-files.db.ts';
import { SOURCE_KINDS } from '../../lib/content/import/options.ts';
import type { ImportProgress, ImportReport, ReadReport } from '../../lib/content/import/report.ts';
import { IMPORT_FORMATS } from '../../lib/content/import/sniff.ts';
import {
  CliError,
  type Command,
  type CommandContext,
  type CommandOutcome,
  choiceOption,
  flag,
  textOption,
} from '../command.ts';
import { importedWords, readingWords, refusalWords } from '../import-words.ts';

/** Milliseconds between two lines of progress. */
const PROGRESS_EVERY_MS = 200;
const BYTES_A_MEGABYTE = 1_000_000;

export const command: Command = {
  name: 'import',
  summary: 'Import NDJSON or CSV files as one snapshot, all rows or none',
  usage: [
    'import FILE… [--snapshot NAME] [--source NAME] [--kind backfill|live|documents] [--format ndjson|csv] [--id-prefix P] [--skip-bad]',
  ],
  options: {
    snapshot: { type: 'string' },
    source: { type: 'string' },
    kind: { type: 'string' },
    format: { type: 'string' },
    'id-prefix': { type: 'string' },
    'skip-bad': { type: 'boolean' },
  },
  needsDatabase: true,
  run,
};

async function run(context: CommandContext): Promise<CommandOutcome> {
  if (context.positionals.length === 0) throw new CliError('no_file', 'name at least one file: import FILE…');
  const snapshotName = textOption(context, 'snapshot');
  const result = await importFiles(
    context.pool,
    {
      files: context.positionals.map((name) => ({ name, path: path.resolve(context.cwd, name) })),
      snapshotName,
      source: textOption(context, 'source'),
      kind: choiceOption(context, 'kind', SOURCE_KINDS),
      format: choiceOption(context, 'format', IMPORT_FORMATS),
      idPrefix: textOption(context, 'id-prefix'),
      skipBad: flag(context, 'skip-bad'),
      actor: 'cli',
      signal: context.signal,
    },
    progressLine(context),
  );
  if (result.ok) return { exit: 0, json: importedJson(result.value), text: importedWords(result.value) };
  const error = refusalWords(result, snapshotName);
  if (!('report' in result)) throw new CliError(error.code, error.message);
  return {
    exit: 2,
    json: { error, ...readJson(result.report) },
    text: [...readingWords(result.report), error.message],
  };
}

function importedJson(report: ImportReport): object {
  return {
    snapshot: report.snapshot,
    snapshot_id: report.snapshotId,
    names: report.names,
    sha256: report.sha256,
    revisions: report.revisions,
    added: report.added,
    already_known: report.alreadyKnown,
    edited: report.edited,
    unpublished: report.unpublished,
    ...readJson(report),
    by: report.by.map(({ source, kind, contentType, revisions }) => ({
      source,
      kind,
      content_type: contentType,
      revisions,
    })),
  };
}

function readJson(report: ReadReport): object {
  return {
    blank_lines: report.blankLines,
    double_encoded: report.doubleEncoded,
    rejected_count: report.rejectedCount,
    rejected: report.rejected,
    files: report.files.map((file) => ({
      file: file.file,
      format: file.format,
      delimiter: file.delimiter,
      rows: file.rows,
      blank_lines: file.blankLines,
      truncated: file.truncated,
    })),
  };
}

function progressLine(context: CommandContext): (progress: ImportProgress) => void {
  const started = performance.now();
  let shown = 0;
  return ({ stage, rows, bytes, totalBytes }) => {
    const now = performance.now();
    if (stage === 'reading' && now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    const counted = `${rows.toLocaleString('en-US')} rows`;
    if (stage === 'merging') {
      context.progress(`${counted} read; storing them`);
      return;
    }
    const rate = (bytes / BYTES_A_MEGABYTE / ((now - started) / 1_000)).toFixed(1);
    const share = totalBytes ? ` ${Math.floor((bytes / totalBytes) * 100)}%` : '';
    context.progress(`reading${share} ${counted}, ${rate} MB/s`);
  };
}
