import { createHash, type Hash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { compareBytes } from '../kernel/text.ts';
import { judgeRow } from './judge.ts';
import { FILE_NAMES, MANIFEST_NAME, type Manifest, type ManifestFile, readManifest } from './manifest.ts';
import { collectProblems, type Problem, type Problems } from './problem.ts';
import { type FileFacts, openRegular, readLines } from './read-file.fs.ts';
import type { RowKind } from './row.ts';
import { compareTotals, makeTally, type Tally } from './tally.ts';

/** Bytes of manifest.json at most: room for a hundred thousand (source, content type) lines. */
export const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

/** Where no manifest says which form the files have, either may be there. */
const ANY_FILE = Object.values(FILE_NAMES).flatMap((names) => Object.values(names));

/** What `verify` found. ok exactly where there is no problem. */
export type Verification = {
  readonly ok: boolean;
  /** The first 1,000. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  /** Of the manifest as it lies on disk, to compare with what the export printed; null where there is none. */
  readonly manifestSha256: string | null;
  /** null where it cannot be read. */
  readonly manifest: Manifest | null;
  /** Decision rows and exception rows that were read. */
  readonly rows: number;
  readonly exceptions: number;
};

/**
 * Checks a bundle and trusts nothing of it, not even its file names; it needs no database. Memory stays flat.
 * What no check of a bundle alone can know: whether it is what was once published. A bundle whose rows, totals and
 * hashes were all rewritten together is sound in itself; the hash of the manifest, which the export printed and the
 * database keeps, tells them apart.
 * @param folder of the bundle; its own name does not matter, so a bundle may be moved.
 * @param expected the manifest's hash as the export printed it, where it is known.
 * @throws where the folder cannot be read at all.
 */
export async function verifyBundle(folder: string, expected?: { manifestSha256: string }): Promise<Verification> {
  const problems = collectProblems();
  const entries = await readdir(folder);
  const read = await readManifestFile(folder, problems);
  if (expected && read.sha256 !== null && read.sha256 !== expected.manifestSha256) {
    const { manifestSha256 } = expected;
    problems.add({ code: 'bad_hash', file: MANIFEST_NAME, line: null, expected: manifestSha256, found: read.sha256 });
  }
  const known = new Set<string>([MANIFEST_NAME, ...(read.manifest?.files.map((file) => file.name) ?? ANY_FILE)]);
  for (const name of entries.sort(compareBytes)) {
    if (!known.has(name) || !(await lstat(path.join(folder, name))).isFile()) {
      problems.add({ code: 'extra_file', file: name, line: null });
    }
  }
  const counted = read.manifest ? await checkFiles(folder, read.manifest, problems) : { rows: 0, exceptions: 0 };
  return {
    ok: problems.count === 0,
    problems: problems.list,
    problemCount: problems.count,
    manifestSha256: read.sha256,
    manifest: read.manifest,
    ...counted,
  };
}

async function readManifestFile(
  folder: string,
  problems: Problems,
): Promise<{ manifest: Manifest | null; sha256: string | null }> {
  const file = MANIFEST_NAME;
  const handle = await openRegular(path.join(folder, file));
  if (!handle) {
    problems.add({ code: 'missing_file', file, line: null });
    return { manifest: null, sha256: null };
  }
  try {
    if ((await handle.stat()).size > MANIFEST_BYTES_MAX) {
      problems.add({ code: 'bad_manifest', file, line: null, what: 'size' });
      return { manifest: null, sha256: null };
    }
    const bytes = await handle.readFile();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const read = readManifest(decode(bytes) ?? '');
    if (!read.ok) {
      problems.add({ code: 'bad_manifest', file, line: null, what: read.what });
      return { manifest: null, sha256 };
    }
    if (!read.canonical) problems.add({ code: 'bad_manifest', file, line: null, what: 'form' });
    const { self_sha256: expected } = read.manifest;
    if (expected !== undefined && read.selfSha256 !== expected) {
      problems.add({ code: 'bad_hash', file, line: null, what: 'self_sha256', expected, found: read.selfSha256 });
    }
    return { manifest: read.manifest, sha256 };
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The place and hash of one good row, which is all that order, uniqueness and the snapshot's hash need. */
type Key = {
  readonly contentId: string;
  readonly revision: string;
  readonly inputSha256: string;
  readonly line: number;
};

async function checkFiles(
  folder: string,
  manifest: Manifest,
  problems: Problems,
): Promise<{ rows: number; exceptions: number }> {
  const tally = makeTally();
  const [decisionFile, exceptionFile] = manifest.files;
  const decisions = keysOf(readRows(folder, decisionFile, { kind: 'decision', manifest, problems, tally }));
  const exceptions = keysOf(readRows(folder, exceptionFile, { kind: 'exception', manifest, problems, tally }));
  const sha256 = await mergeKeys(decisions, exceptions, exceptionFile.name, problems).finally(() =>
    // Where one file could not be read on, the other is closed all the same.
    Promise.all([decisions.return(), exceptions.return()]),
  );
  for (const difference of compareTotals(manifest.control_totals, tally.totals())) {
    problems.add({ code: 'bad_total', file: MANIFEST_NAME, line: null, ...difference });
  }
  if (sha256 !== manifest.snapshot.sha256) {
    const expected = manifest.snapshot.sha256;
    problems.add({ code: 'bad_snapshot', file: MANIFEST_NAME, line: null, expected, found: sha256 });
  }
  const { decisions: rows, exceptions: exceptionCount } = tally.totals();
  return { rows, exceptions: exceptionCount };
}

type RowContext = { kind: RowKind; manifest: Manifest; problems: Problems; tally: Tally };

/** Reads one file of rows to its end, judging each; yields the keys of those that can be read, batch by batch. */
async function* readRows(folder: string, file: ManifestFile, context: RowContext): AsyncGenerator<Key[], void> {
  const { problems } = context;
  const handle = await openRegular(path.join(folder, file.name));
  if (!handle) {
    problems.add({ code: 'missing_file', file: file.name, line: null });
    return;
  }
  const lines = readLines(handle, file.name.endsWith('.gz'));
  let before: Key | null = null;
  for (;;) {
    const step = await lines.next();
    if (step.done) {
      compareFacts(file, step.value, problems);
      return;
    }
    const keys: Key[] = [];
    for (const line of step.value) {
      const key = judgeLine(line.text, line.number, file.name, context);
      if (!key) continue;
      if (before) checkOrder(before, key, file.name, problems);
      before = key;
      keys.push(key);
    }
    yield keys;
  }
}

function judgeLine(text: string | null, line: number, file: string, context: RowContext): Key | null {
  const { kind, manifest, problems, tally } = context;
  if (text === null) {
    problems.add({ code: 'bad_row', file, line, what: 'form' });
    return null;
  }
  const judged = judgeRow(kind, text, manifest);
  for (const fault of judged.faults) problems.add({ code: fault.code, file, line, what: fault.what });
  if (!judged.ok) return null;
  const { row } = judged;
  tally.add(row);
  return { contentId: row.content_id, revision: row.revision, inputSha256: row.input_sha256, line };
}

function checkOrder(before: Key, key: Key, file: string, problems: Problems): void {
  const order = compareKeys(before, key);
  if (order === 0) problems.add({ code: 'duplicate', file, line: key.line });
  if (order > 0) problems.add({ code: 'bad_order', file, line: key.line });
}

function compareKeys(a: Key, b: Key): number {
  return compareBytes(a.contentId, b.contentId) || compareBytes(a.revision, b.revision);
}

function compareFacts(file: ManifestFile, facts: FileFacts, problems: Problems): void {
  const note = (code: Problem['code'], expected: string | number, found: string | number) => {
    if (expected !== found) problems.add({ code, file: file.name, line: null, expected, found });
  };
  note('bad_size', file.bytes, facts.bytes);
  note('bad_hash', file.sha256, facts.sha256);
  note('bad_rows', file.rows, facts.rows);
  if (!facts.readable) problems.add({ code: 'bad_row', file: file.name, line: facts.rows + 1, what: 'gzip' });
}

/**
 * Walks both files side by side in their one order, so that a revision that stands in both is found and the snapshot is
 * hashed anew without holding either.
 * @returns the snapshot's hash over the rows of both files.
 */
async function mergeKeys(
  decisions: AsyncGenerator<Key, void>,
  exceptions: AsyncGenerator<Key, void>,
  exceptionFile: string,
  problems: Problems,
): Promise<string> {
  const hash = createHash('sha256');
  let left = await decisions.next();
  let right = await exceptions.next();
  while (!left.done || !right.done) {
    const order = left.done ? 1 : right.done ? -1 : compareKeys(left.value, right.value);
    if (order === 0 && !right.done) {
      problems.add({ code: 'duplicate', file: exceptionFile, line: right.value.line });
    }
    if (order <= 0 && !left.done) {
      addMember(hash, left.value);
      left = await decisions.next();
    } else if (!right.done) {
      addMember(hash, right.value);
      right = await exceptions.next();
    }
  }
  return hash.digest('hex');
}

function addMember(hash: Hash, key: Key): void {
  hash.update(`${key.contentId}\0${key.revision}\0${key.inputSha256}\n`);
}

async function* keysOf(batches: AsyncGenerator<Key[], void>): AsyncGenerator<Key, void> {
  for await (const batch of batches) yield* batch;
}
