import type { PoolClient } from 'pg';
import type { Pool } from '../../db/pool.db.ts';
import { looksDoubleEncoded } from './double-encoded.ts';
import type { RejectedRow } from './fault.ts';
import { fileInput } from './file-input.fs.ts';
import { type ImportInput, type InputForm, type InputProblem, inputRows } from './input-rows.ts';
import { type Conflict, mergeStaged } from './merge.db.ts';
import { type ImportOptions, optionProblem } from './options.ts';
import { onOwnConnection, transactOn } from './own-connection.db.ts';
import {
  type FileReport,
  type ImportProgress,
  type ImportResult,
  REJECTED_SHOWN_COUNT,
  type ReadReport,
} from './report.ts';
import { readRow } from './row.ts';
import { openStaging, type Staging } from './staging.db.ts';
import { emptyTally, type RawRow } from './tally.ts';

type OnProgress = (progress: ImportProgress) => void;

/** What is known of the inputs while they are read. */
type Reading = {
  readonly files: FileReport[];
  readonly rejected: RejectedRow[];
  rejectedCount: number;
  doubleEncoded: number;
  rows: number;
  bytes: number;
};

/**
 * Act: imports files as one snapshot, all or nothing.
 * @param files `path` to read, `name` for messages.
 * @param onProgress is called now and then.
 * @returns the report; or why nothing was committed.
 * @throws where the signal was raised; nothing is committed then either.
 */
export async function importFiles(
  pool: Pool,
  options: ImportOptions & { readonly files: readonly { readonly path: string; readonly name: string }[] },
  onProgress: OnProgress = () => {},
): Promise<ImportResult> {
  const inputs: ImportInput[] = [];
  for (const { path, name } of options.files) {
    const input = await fileInput(path, name);
    if (!input.ok) return { ok: false, refusal: input.refusal, file: name };
    inputs.push(input.value);
  }
  return importInputs(pool, inputs, options, onProgress);
}

/**
 * Act: imports inputs as one snapshot. They stream into a staging table of this connection alone; then one transaction
 * merges the whole set, closes the snapshot and writes the audit event. See importFiles.
 */
export async function importInputs(
  pool: Pool,
  inputs: readonly ImportInput[],
  options: ImportOptions,
  onProgress: OnProgress = () => {},
): Promise<ImportResult> {
  const option = optionProblem(options);
  if (option !== null) return { ok: false, refusal: 'bad_option', option };
  return onOwnConnection(pool, options.signal, (client) => importOn(client, inputs, options, onProgress));
}

async function importOn(
  client: PoolClient,
  inputs: readonly ImportInput[],
  options: ImportOptions,
  onProgress: OnProgress,
): Promise<ImportResult> {
  const staging = await openStaging(client);
  const reading: Reading = { files: [], rejected: [], rejectedCount: 0, doubleEncoded: 0, rows: 0, bytes: 0 };
  const totalBytes = sizeOf(inputs);
  const tell = (stage: ImportProgress['stage']): void =>
    onProgress({ stage, rows: reading.rows, bytes: reading.bytes, totalBytes });
  for (const [file, input] of inputs.entries()) {
    const problem = await readInput(input, file, { staging, reading, options, tell: () => tell('reading') });
    if (problem !== null) return { ok: false, refusal: 'bad_file', file: input.name, problem };
  }
  const staged = await staging.close();
  options.signal?.throwIfAborted();
  tell('merging');
  const unreadable = reading.files.some((file) => file.unreadableFrom !== null);
  const merged = await transactOn(client, async () => {
    const result = await mergeStaged(client, reading.rejectedCount, {
      ...options,
      skipBad: options.skipBad && !unreadable,
      firstFile: inputs[0]?.name ?? '',
      conflictsMax: REJECTED_SHOWN_COUNT,
    });
    // An order to stop that came between two statements; a commit is not interrupted.
    options.signal?.throwIfAborted();
    return result;
  });
  const found = merged.ok ? merged.value : merged;
  const report = readReport(reading, found.conflicts, found.conflictCount, inputs);
  if (!merged.ok) {
    return { ok: false, refusal: unreadable && options.skipBad ? 'unreadable_rest' : merged.refusal, report };
  }
  const { conflicts: _, conflictCount, ...snapshot } = merged.value;
  return { ok: true, value: { ...report, ...snapshot, alreadyKnown: staged - conflictCount - snapshot.added } };
}

type Into = {
  readonly staging: Staging;
  readonly reading: Reading;
  readonly options: ImportOptions;
  tell(): void;
};

/** @returns why the whole file is refused, or null once it is staged. */
async function readInput(input: ImportInput, file: number, into: Into): Promise<InputProblem | null> {
  const { staging, reading, options } = into;
  const tally = emptyTally();
  const before = reading.rows;
  let form: InputForm = { format: 'ndjson', delimiter: null };
  const counted: ImportInput = { ...input, bytes: () => counting(input.bytes(), reading) };
  const reader = { format: options.format, hasSource: options.source !== undefined };
  for await (const part of inputRows(counted, reader, tally)) {
    options.signal?.throwIfAborted();
    if (part.kind === 'problem') return part.problem;
    if (part.kind === 'form') form = part.form;
    else {
      for (const raw of part.rows) takeRow(raw, { file, name: input.name }, into);
      await staging.drained();
      into.tell();
    }
  }
  reading.files.push({ ...form, file: input.name, rows: reading.rows - before, ...tally });
  return null;
}

function takeRow(
  raw: RawRow,
  { file, name }: { file: number; name: string },
  { staging, reading, options }: Into,
): void {
  reading.rows++;
  const judged = 'fault' in raw ? ({ ok: false, fault: raw.fault } as const) : readRow(raw.fields, options);
  if (judged.ok) {
    if (looksDoubleEncoded(judged.row.text)) reading.doubleEncoded++;
    staging.add(judged.row, { file, line: raw.line });
    return;
  }
  reading.rejectedCount++;
  if (reading.rejected.length < REJECTED_SHOWN_COUNT) {
    reading.rejected.push({ file: name, line: raw.line, ...judged.fault });
  }
}

async function* counting(bytes: AsyncIterable<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    reading.bytes += chunk.length;
    yield chunk;
  }
}

function sizeOf(inputs: readonly ImportInput[]): number | null {
  let total = 0;
  for (const { sizeBytes } of inputs) {
    if (sizeBytes === null) return null;
    total += sizeBytes;
  }
  return total;
}

/** Puts the rows that were bad in themselves and those that contradict others in the order of the files. */
function readReport(
  reading: Reading,
  conflicts: readonly Conflict[],
  conflictCount: number,
  inputs: readonly ImportInput[],
): ReadReport {
  const fileOrder = new Map([...inputs.entries()].map(([at, input]) => [input.name, at]));
  const all: RejectedRow[] = [
    ...reading.rejected,
    ...conflicts.map(({ file, line, code, field }) => ({ file: inputs[file]?.name ?? '', line, code, field })),
  ];
  const at = (row: RejectedRow): number => fileOrder.get(row.file) ?? 0;
  all.sort((a, b) => at(a) - at(b) || a.line - b.line);
  return {
    files: reading.files,
    blankLines: reading.files.reduce((sum, file) => sum + file.blankLines, 0),
    doubleEncoded: reading.doubleEncoded,
    rejectedCount: reading.rejectedCount + conflictCount,
    rejected: all.slice(0, REJECTED_SHOWN_COUNT),
  };
}
