import type { RejectedRow } from '../content/import/fault.ts';
import { fileInput } from '../content/import/file-input.fs.ts';
import { type InputProblem, inputRows } from '../content/import/input-rows.ts';
import { type ImportRow, readRow } from '../content/import/row.ts';
import { emptyTally } from '../content/import/tally.ts';

/** Rejected rows that are told one by one; all are counted. */
const REJECTED_TOLD = 1_000;
/** The source of rows that name none. */
const SOURCE_DEFAULT = 'gold';

export type GoldFiles =
  | { readonly ok: true; readonly rows: readonly ImportRow[] }
  | { readonly ok: false; readonly refusal: 'no_such_file' | 'not_a_file' | 'not_readable'; readonly file: string }
  | { readonly ok: false; readonly refusal: 'bad_file'; readonly file: string; readonly problem: InputProblem }
  | {
      readonly ok: false;
      readonly refusal: 'rejected_rows';
      readonly rejectedCount: number;
      readonly rejected: readonly RejectedRow[];
    };

/**
 * Reads files of gold by the rules of an import, all of them or none; nothing is stored.
 * @param files `path` to read, `name` for messages.
 * @param signal gives up between the parts of a file.
 * @throws where the signal was raised.
 */
export async function readGoldFiles(
  files: readonly { readonly path: string; readonly name: string }[],
  signal: AbortSignal,
): Promise<GoldFiles> {
  const rows: ImportRow[] = [];
  const rejected: RejectedRow[] = [];
  let rejectedCount = 0;
  for (const { path, name } of files) {
    const input = await fileInput(path, name);
    if (!input.ok) return { ok: false, refusal: input.refusal, file: name };
    const tally = emptyTally();
    for await (const part of inputRows(input.value, { format: undefined, hasSource: true }, tally)) {
      signal.throwIfAborted();
      if (part.kind === 'problem') return { ok: false, refusal: 'bad_file', file: name, problem: part.problem };
      if (part.kind !== 'rows') continue;
      for (const raw of part.rows) {
        const judged = 'fault' in raw ? raw : readRow(raw.fields, { source: SOURCE_DEFAULT });
        if ('ok' in judged && judged.ok) rows.push(judged.row);
        else {
          rejectedCount += 1;
          if (rejected.length < REJECTED_TOLD) rejected.push({ file: name, line: raw.line, ...judged.fault });
        }
      }
    }
  }
  if (rejectedCount > 0) return { ok: false, refusal: 'rejected_rows', rejectedCount, rejected };
  return { ok: true, rows };
}
