import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type ImportRow, readRow } from '../content/import/row.ts';
import { isJsonObject, parseJson } from '../kernel/json.ts';

const FOLDER = new URL('./shipped/corpora/', import.meta.url);
const FILE_NAME = /^([a-z0-9-]+)\.(tuning|held-out)\.ndjson$/;

/** What a corpus is split into: thresholds and wordings are chosen on tuning, figures are reported from held-out only. */
export const CORPUS_SPLITS = ['tuning', 'held-out'] as const;
export type CorpusSplit = (typeof CORPUS_SPLITS)[number];

/** One file of a corpus; its rows are import rows, and their `source` is the segment that figures are reported for. */
export type CorpusFile = {
  readonly name: string;
  readonly split: CorpusSplit;
  /** Absolute, in the form of this system: what an import takes as FILE. */
  readonly path: string;
};

/**
 * The corpora that come with the program, written for it by hand.
 * @returns every file, by name and then split. A file in the folder that is named otherwise throws: it would be left out
 * of every figure without a word.
 */
export async function shippedCorpora(): Promise<CorpusFile[]> {
  const files = (await readdir(FOLDER)).sort();
  return files.map((file) => {
    const [, name, split] = FILE_NAME.exec(file) ?? [];
    if (!name || !split) throw new Error(`${file} is not named as a corpus file is`);
    return { name, split: split as CorpusSplit, path: fileURLToPath(new URL(file, FOLDER)) };
  });
}

/**
 * Reads one part of a shipped corpus by the rules of an import.
 * @param name of the corpus, as in `forum.tuning.ndjson`.
 * @returns its rows in the order of the file. Throws where there is no such file or a line of it is no import row: what
 * is shipped is ours, so that is a bug.
 */
export async function shippedCorpus(name: string, split: CorpusSplit): Promise<ImportRow[]> {
  const file = (await shippedCorpora()).find((one) => one.name === name && one.split === split);
  if (!file) throw new Error(`no corpus ${name} is shipped with a part ${split}`);
  const lines = (await readFile(file.path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line, index) => rowOf(line, `${name}.${split}, line ${index + 1}`));
}

function rowOf(line: string, where: string): ImportRow {
  const read = parseJson(line);
  if (!read.ok || !isJsonObject(read.value)) throw new Error(`${where}: no JSON object`);
  const result = readRow(read.value, {});
  if (!result.ok) throw new Error(`${where}: ${result.fault.code} ${result.fault.field ?? ''}`.trimEnd());
  return result.row;
}
