import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../kernel/hash.ts';
import { type ManifestBody, writeManifest } from './manifest.ts';
import type { DecisionRow } from './row.ts';
import { type Bundle, bundleOf, decisionRow, exceptionRow, goodBundle, writeBundle } from './testing/bundle.fs.ts';
import { verifyBundle } from './verify.fs.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'docket verify '));
  folder = path.join(root, 'bundle');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const FILES = ['decisions.ndjson', 'exceptions.ndjson', 'manifest.json'] as const;

async function codes(): Promise<string[]> {
  const found = await verifyBundle(folder);
  expect(found.ok).toBe(found.problems.length === 0);
  return [...new Set(found.problems.map((problem) => problem.code))].sort();
}

async function codesOf(bundle: Bundle, manifest?: (body: ManifestBody) => ManifestBody): Promise<string[]> {
  await writeBundle(folder, bundle, { manifest });
  return codes();
}

function swap<T>(list: readonly T[], i: number, j: number): T[] {
  const copy = [...list];
  [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  return copy;
}

describe('a sound bundle', () => {
  test('passes, plain and packed, and its rows are counted', async () => {
    for (const gzip of [false, true]) {
      await writeBundle(folder, goodBundle(), { gzip });
      expect(await verifyBundle(folder)).toMatchObject({ ok: true, problems: [], rows: 7, exceptions: 3 });
    }
  });

  test('passes with no row at all', async () => {
    for (const gzip of [false, true]) {
      await writeBundle(folder, bundleOf([], []), { gzip });
      expect(await verifyBundle(folder)).toMatchObject({ ok: true, rows: 0 });
    }
  });

  test('passes under any folder name: a bundle may be moved', async () => {
    await writeBundle(folder, goodBundle());
    const moved = path.join(root, 'moved elsewhere');
    await rename(folder, moved);
    expect((await verifyBundle(moved)).ok).toBe(true);
  });

  test('is ordered as UTF-8 bytes: U+FF5E before U+1F600, which UTF-16 turns round', async () => {
    const rows = goodBundle();
    const last = rows.decisions.map((row) => row.content_id).slice(-2);
    expect(last).toEqual(['～', '😀']);
    expect(await codesOf({ ...rows, decisions: swap(rows.decisions, 5, 6) })).toContain('bad_order');
  });

  test('whatever the rows are, passes', async () => {
    const id = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
      .filter((text) => text.trim() === text && !/\p{C}/u.test(text));
    const rows = fc.uniqueArray(fc.record({ contentId: id, revision: id, bad: fc.boolean() }), {
      maxLength: 20,
      selector: (one) => `${one.contentId}\0${one.revision}`,
    });
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (items, gzip) => {
        const of = (bad: boolean) =>
          items.filter((one) => one.bad === bad).map((one) => ({ ...one, text: one.contentId }));
        const bundle = bundleOf(
          of(false).map((item) => decisionRow(item)),
          of(true).map(exceptionRow),
        );
        await writeBundle(folder, bundle, { gzip });
        expect((await verifyBundle(folder)).problems).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a changed byte', () => {
  for (const gzip of [false, true]) {
    test(`anywhere in any ${gzip ? 'packed ' : ''}file is found, whether flipped, deleted or inserted`, async () => {
      await writeBundle(folder, goodBundle(), { gzip });
      const names = FILES.map((name) => (gzip && name !== 'manifest.json' ? `${name}.gz` : name));
      const good = new Map(
        await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...names),
          fc.constantFrom('flip', 'delete', 'insert'),
          fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
          fc.integer({ min: 1, max: 255 }),
          async (name, how, where, byte) => {
            const bytes = good.get(name) as Buffer;
            const at = Math.floor(where * bytes.length);
            const flipped = Buffer.from([(bytes[at] as number) ^ byte]);
            const between = how === 'delete' ? Buffer.alloc(0) : how === 'insert' ? Buffer.from([byte]) : flipped;
            const rest = how === 'insert' ? at : at + 1;
            await writeFile(
              path.join(folder, name),
              Buffer.concat([bytes.subarray(0, at), between, bytes.subarray(rest)]),
            );
            const { ok } = await verifyBundle(folder);
            await writeFile(path.join(folder, name), bytes);
            expect(ok).toBe(false);
          },
        ),
        { numRuns: 400 },
      );
      expect((await verifyBundle(folder)).ok).toBe(true);
    });
  }
});

describe('the folder', () => {
  test('a missing file is found, each of them', async () => {
    for (const name of FILES) {
      await writeBundle(folder, goodBundle());
      await rm(path.join(folder, name));
      expect((await verifyBundle(folder)).problems).toContainEqual({ code: 'missing_file', file: name, line: null });
    }
  });

  test('a file too many is found, hidden or a folder or a leftover of packing', async () => {
    for (const name of ['.hidden', 'decisions.ndjson.gz', 'notes.txt']) {
      await writeBundle(folder, goodBundle());
      await writeFile(path.join(folder, name), '');
      expect(await codes()).toEqual(['extra_file']);
    }
    await writeBundle(folder, goodBundle());
    await mkdir(path.join(folder, 'more'));
    expect(await codes()).toEqual(['extra_file']);
  });

  test('a link is not followed, even to the right bytes', async () => {
    for (const name of FILES) {
      await writeBundle(folder, goodBundle());
      const elsewhere = path.join(root, 'elsewhere');
      await rename(path.join(folder, name), elsewhere);
      await symlink(elsewhere, path.join(folder, name));
      expect(await codes()).toEqual(expect.arrayContaining(['extra_file', 'missing_file']));
    }
  });

  test('a packed file that is cut, followed by something, or no archive at all is found though its hash is right', async () => {
    const breaks: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => bytes.subarray(0, -9),
      (bytes) => Buffer.concat([bytes, Buffer.alloc(4)]),
      (bytes) => Buffer.concat([bytes, Buffer.from('x')]),
      (bytes) => gunzipSync(bytes),
    ];
    for (const how of breaks) {
      await writeBundle(folder, goodBundle(), { gzip: true });
      const place = path.join(folder, 'decisions.ndjson.gz');
      const bytes = how(await readFile(place));
      await writeFile(place, bytes);
      const { self_sha256: _, ...body } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
      Object.assign(body.files[0], { bytes: bytes.length, sha256: sha256Hex(bytes) });
      await writeFile(path.join(folder, 'manifest.json'), writeManifest(body));
      expect(await codes()).toContain('bad_row');
      expect(await codes()).not.toContain('bad_hash');
    }
  });

  test('a line of hundreds of megabytes inside a small archive does not fill the memory', async () => {
    await writeBundle(folder, goodBundle(), { gzip: true });
    await writeFile(path.join(folder, 'decisions.ndjson.gz'), gzipSync(Buffer.alloc(200 * 1024 * 1024, 'a')));
    const before = process.memoryUsage().rss;
    expect(await codes()).toContain('bad_row');
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  test('problems are listed up to a bound and all counted', async () => {
    await writeBundle(folder, goodBundle());
    await writeFile(path.join(folder, 'decisions.ndjson'), '\n'.repeat(5_000));
    const found = await verifyBundle(folder);
    expect(found.problems).toHaveLength(1_000);
    expect(found.problemCount).toBeGreaterThan(5_000);
  });

  test('no problem ever says what a row says', async () => {
    const bundle = goodBundle();
    bundle.decisions[0] = { ...(bundle.decisions[0] as DecisionRow), secretmember: 'secret words' } as DecisionRow;
    await writeBundle(folder, bundle);
    expect(JSON.stringify(await verifyBundle(folder))).not.toContain('secret');
  });
});
