import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { CORPUS_SPLITS, type CorpusFile, shippedCorpora, shippedCorpus } from './corpora.fs.ts';
import { shippedPolicies } from './shipped.fs.ts';

const NAMES = ['comments', 'documents-1', 'documents-2', 'forum'];
/** Rows of a class: fewer say nothing about how well a label does. */
const CLASS_ROWS_MIN = 40;
const CLASS_HELD_OUT_ROWS_MIN = 20;

const MEMBERS = new Set([
  'content_id',
  'content_type',
  'revision',
  'source',
  'text',
  'title',
  'author_name',
  'parent_text',
  'language',
  'gold',
]);

type Line = { readonly file: CorpusFile; readonly number: number; readonly row: Record<string, unknown> };

async function linesOf(file: CorpusFile): Promise<Line[]> {
  const text = await readFile(file.path, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => ({ file, number: index + 1, row: JSON.parse(line) }));
}

/** Case, spaces and punctuation make no other text: they would hide one that was put into both parts. */
function folded(text: unknown): string {
  return String(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** @returns what is wrong with the members of one line, or nothing. */
function faultsOf({ row }: Line): string[] {
  const gold = row.gold;
  const values = typeof gold === 'object' && gold !== null ? Object.values(gold) : null;
  return [
    ...Object.keys(row).filter((name) => !MEMBERS.has(name)),
    ...Object.entries(row)
      .filter(([name, value]) => name !== 'gold' && typeof value !== 'string')
      .map(([name]) => `${name} is no string`),
    ...['content_id', 'content_type', 'revision', 'source', 'text'].filter((name) => !row[name]),
    ...((
      values === null
        ? typeof gold === 'string' && gold !== ''
        : values.length > 0 && values.every((v) => v === 0 || v === 1)
    )
      ? []
      : ['gold']),
  ];
}

const files = await shippedCorpora();
const lines = (await Promise.all(files.map(linesOf))).flat();
const where = ({ file, number }: Line) => `${file.name}.${file.split}:${number}`;

/** Source and split of every line, counted. */
function counts(): Map<string, Record<(typeof CORPUS_SPLITS)[number], number>> {
  const found = new Map<string, Record<(typeof CORPUS_SPLITS)[number], number>>();
  for (const { file, row } of lines) {
    const source = String(row.source);
    const count = found.get(source) ?? { tuning: 0, 'held-out': 0 };
    count[file.split]++;
    found.set(source, count);
  }
  return found;
}

test('every shipped corpus is there in both parts, and no other', () => {
  expect(files.map(({ name, split }) => `${name} ${split}`).sort()).toEqual(
    NAMES.flatMap((name) => CORPUS_SPLITS.map((split) => `${name} ${split}`)).sort(),
  );
});

describe.each(files)('$name, $split', (file) => {
  test('every line is one object with known members and gold', () => {
    const own = lines.filter((line) => line.file === file);
    expect(own.length).toBeGreaterThan(0);
    expect(own.map((line) => [where(line), faultsOf(line)]).filter(([, faults]) => faults?.length)).toEqual([]);
  });

  test('an import would take every line', async () => {
    const rows = await shippedCorpus(file.name, file.split);
    expect(rows).toHaveLength(lines.filter((line) => line.file === file).length);
  });
});

test('an id belongs to one file and one class, and each of its revisions stands once', () => {
  const owners = new Map<unknown, string>();
  const revisions = new Set<string>();
  const wrong = lines.filter(({ file, row }) => {
    const owner = `${file.name} ${file.split} ${row.source}`;
    const known = owners.get(row.content_id) ?? owner;
    owners.set(row.content_id, known);
    const again = revisions.size === revisions.add(`${row.content_id} ${row.revision}`).size;
    return again || known !== owner;
  });
  expect(wrong.map(where)).toEqual([]);
});

test('no text stands in both parts, nor twice in one', () => {
  const seen = new Set<string>();
  const twice = lines.filter(({ row }) => {
    const key = folded(row.text) || String(row.text);
    return seen.size === seen.add(key).size;
  });
  expect(twice.map(where)).toEqual([]);
});

test('a class has enough rows, and enough of them held out', () => {
  const few = [...counts()].filter(
    ([, count]) => count.tuning + count['held-out'] < CLASS_ROWS_MIN || count['held-out'] < CLASS_HELD_OUT_ROWS_MIN,
  );
  expect(few).toEqual([]);
});

test('gold of the forum names every label of its policy', async () => {
  const policy = (await shippedPolicies()).find(({ slug }) => slug === 'forum');
  const labels = JSON.parse(policy?.text ?? '').contract.labels.map(({ name }: { name: string }) => name);
  const forum = lines.filter(({ file }) => file.name === 'forum');
  const other = forum.filter(
    ({ row }) =>
      Object.keys(row.gold as object)
        .sort()
        .join() !== labels.sort().join(),
  );
  expect(other.map(where)).toEqual([]);
});

test('a corpus that is not shipped is a bug of the caller', async () => {
  await expect(shippedCorpus('nothing', 'tuning')).rejects.toThrow('no corpus nothing');
});
