import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { type ManifestBody, writeManifest } from './manifest.ts';
import type { DecisionRow, ExceptionRow } from './row.ts';
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

function swap<T>(list: readonly T[], i: number, j: number): T[] {
  const copy = [...list];
  [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  return copy;
}

describe('rows that were changed and hashed anew', () => {
  const change = (at: number, with_: Partial<DecisionRow>): Bundle => {
    const bundle = goodBundle();
    bundle.decisions[at] = { ...(bundle.decisions[at] as DecisionRow), ...with_ };
    return bundle;
  };
  const without = (at: number, key: string): Bundle => {
    const bundle = goodBundle();
    const { [key]: _, ...rest } = bundle.decisions[at] as Record<string, unknown>;
    bundle.decisions[at] = rest as DecisionRow;
    return bundle;
  };

  test('any deleted, repeated, swapped or moved row is found', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(6), fc.nat(6), fc.constantFrom('delete', 'repeat', 'swap', 'move'), async (i, j, how) => {
        fc.pre(how !== 'swap' || i !== j);
        const bundle = goodBundle();
        const row = bundle.decisions[i] as DecisionRow;
        if (how === 'delete') bundle.decisions.splice(i, 1);
        if (how === 'repeat') bundle.decisions.splice(j, 0, row);
        if (how === 'swap') bundle.decisions.splice(0, 7, ...swap(bundle.decisions, i, j));
        if (how === 'move')
          bundle.exceptions.push(
            exceptionRow({ contentId: row.content_id, revision: row.revision, text: `text of ${row.content_id}` }),
          );
        expect(await codesOf(bundle)).not.toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('any missing or added member is found', async () => {
    const keys = Object.keys(goodBundle().decisions[0] as DecisionRow);
    for (const key of keys) expect(await codesOf(without(0, key)), key).toContain('bad_row');
    expect(await codesOf(change(0, { extra: 1 } as object))).toContain('bad_row');
    expect(await codesOf(change(0, { text: 'text of A' }))).toEqual(['bad_row']);
  });

  test.each([
    ['another decision_id', change(0, { decision_id: sha256Hex('x') }), 'bad_decision_id'],
    ['another content_id', change(0, { content_id: 'AA' }), 'bad_decision_id'],
    ['another revision', change(0, { revision: '2' }), 'bad_decision_id'],
    ['another input hash', change(0, { input_sha256: sha256Hex('x') }), 'bad_snapshot'],
    ['another source', change(0, { source: 'forum/c' }), 'bad_total'],
    ['another content type', change(0, { content_type: 'post' }), 'bad_total'],
    ['a deduplication that was not counted', change(0, { deduplicated: true }), 'bad_total'],
    ['another verdict', change(0, { verdict: 'restrict' }), 'bad_row'],
    ['an allow with reasons', change(2, { verdict: 'allow' }), 'bad_row'],
    ['a review without reasons', change(2, { because: [] }), 'bad_row'],
    ['a review for a crossed restrictAt', change(3, { verdict: 'review' }), 'bad_row'],
    ['a restrict without a crossed restrictAt', change(2, { verdict: 'restrict' }), 'bad_row'],
    [
      'a reason its score does not bear out',
      change(2, { because: [{ label: 'spam', score: 0.5, threshold: 0.6, rule: 'reviewAt' }] }),
      'bad_row',
    ],
    [
      'a reason with another score',
      change(2, { because: [{ label: 'spam', score: 0.6, threshold: 0.4, rule: 'reviewAt' }] }),
      'bad_row',
    ],
    [
      'a reason for a score that is no own member',
      change(2, { because: [{ label: 'constructor', score: 0.6, threshold: 0.4, rule: 'reviewAt' }] }),
      'bad_row',
    ],
    [
      'a label called not evaluated that was',
      change(2, { because: [{ label: 'spam', score: null, threshold: 0.4, rule: 'not_evaluated' }] }),
      'bad_row',
    ],
    ['a score above one', change(0, { classification: { scores: { spam: 1.1 } } }), 'bad_row'],
    ['a wrong number of attempts', change(0, { attempts: 2 }), 'bad_row'],
    [
      'an attempt number that falls',
      change(0, {
        attempts: 2,
        attempt_lineage: [2, 1].map((number) => ({ number, at: '2026-11-30T10:00:00.000Z', outcome: 'ok' })),
      }),
      'bad_row',
    ],
    ['another policy version', change(0, { policy_version: 'forum@2' }), 'bad_row'],
    ['another prompt', change(0, { prompt_sha256: sha256Hex('x') }), 'bad_row'],
    ['another contract version', change(0, { contract_version: 'scores/2' }), 'bad_row'],
    ['another export', change(0, { export_id: 'exp_00000000-0000-4000-8000-000000000002' }), 'bad_row'],
    ['a day that does not exist', change(0, { committed_at: '2026-02-30T10:00:00.000Z' }), 'bad_row'],
    ['an instant without milliseconds', change(0, { committed_at: '2026-11-30T10:00:00Z' }), 'bad_row'],
    ['an unknown effect', change(0, { effect: 'maybe' } as object), 'bad_row'],
    ['an id with a control character', change(0, { content_id: 'A\n' }), 'bad_row'],
  ])('%s is found', async (_, bundle, code) => {
    expect(await codesOf(bundle)).toContain(code);
  });

  test('a revision that is both decided and an exception is a duplicate', async () => {
    const bundle = goodBundle();
    bundle.exceptions.splice(0, 0, exceptionRow({ contentId: 'A', revision: '1', text: 'text of A' }));
    const both = bundleOf(bundle.decisions, bundle.exceptions as ExceptionRow[]);
    expect(await codesOf(both)).toEqual(['duplicate']);
  });

  test('a row that says the same in another form is found: space, escape, order of members, repeated key', async () => {
    const line = canonicalJson(goodBundle().decisions[0]);
    const forms = [
      line.replace('{', '{ '),
      line.replace('"content_id":"A"', '"content_id":"\\u0041"'),
      line.replace('"attempts":1', '"attempts":1.0'),
      line.replace('"attempts":1', '"attempts":1,"attempts":1'),
      `${line}\r`,
      line.replace(/^\{("attempt_lineage":.*?\]),("attempts":1),/, '{$2,$1,'),
      `\ufeff${line}`,
    ];
    for (const form of forms) {
      expect(form).not.toBe(line);
      expect(await rewritten((text) => text.replace(line, form))).toContain('bad_row');
    }
    expect(await rewritten((text) => text.slice(0, -1))).toContain('bad_row');
    expect(await rewritten((text) => text.replace('\n', '\n\n'))).toContain('bad_row');
  });

  async function rewritten(how: (text: string) => string): Promise<string[]> {
    await writeBundle(folder, goodBundle());
    const file = path.join(folder, 'decisions.ndjson');
    const text = how(await readFile(file, 'utf8'));
    await writeFile(file, text);
    const facts = { bytes: Buffer.byteLength(text), rows: text.split('\n').length - 1, sha256: sha256Hex(text) };
    const { self_sha256: _, ...body } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
    Object.assign(body.files[0], facts);
    await writeFile(path.join(folder, 'manifest.json'), writeManifest(body));
    return codes();
  }
});

describe('a manifest that was changed and hashed anew', () => {
  const totals = (change: Partial<ManifestBody['control_totals']>) => (body: ManifestBody) => ({
    ...body,
    control_totals: { ...body.control_totals, ...change },
  });
  const file = (change: object) => (body: ManifestBody) =>
    ({ ...body, files: [{ ...body.files[0], ...change }, body.files[1]] }) as ManifestBody;
  const member = (change: object) => (body: ManifestBody) => ({ ...body, ...change }) as ManifestBody;

  test.each([
    ['revisions', totals({ revisions: 11 }), 'bad_total'],
    ['decisions', totals({ decisions: 8 }), 'bad_total'],
    ['deduplicated', totals({ deduplicated: 0 }), 'bad_total'],
    ['exceptions', totals({ exceptions: 2 }), 'bad_total'],
    ['no lines of totals', totals({ by: [] }), 'bad_total'],
    ['bytes of a file', file({ bytes: 1 }), 'bad_size'],
    ['rows of a file', file({ rows: 1 }), 'bad_rows'],
    ['hash of a file', file({ sha256: sha256Hex('x') }), 'bad_hash'],
    ['name of a file', file({ name: '../decisions.ndjson' }), 'bad_manifest'],
    ['one file packed and one not', file({ name: 'decisions.ndjson.gz' }), 'bad_manifest'],
    ['the same file twice', file({ name: 'exceptions.ndjson' }), 'bad_manifest'],
    [
      'snapshot',
      member({ snapshot: { name: 's', id: '11111111-1111-4111-8111-111111111111', sha256: sha256Hex('x') } }),
      'bad_snapshot',
    ],
    ['policy version', member({ policy_version: 'forum@2' }), 'bad_row'],
    ['prompt', member({ prompt_sha256: sha256Hex('x') }), 'bad_row'],
    ['contract version', member({ contract_version: 'scores/2' }), 'bad_row'],
    ['export id', member({ export_id: 'exp_00000000-0000-4000-8000-000000000002' }), 'bad_row'],
    ['schema version', member({ schema_version: 'docket.export/2' }), 'bad_manifest'],
    ['an added member', member({ extra: 1 }), 'bad_manifest'],
    ['an export that supersedes itself', member({ supersedes: goodBundle().manifest.export_id }), 'bad_manifest'],
    ['a purpose where there is no text', member({ purpose: 'appeal' }), 'bad_row'],
  ])('%s: found', async (_, manifest, code) => {
    expect(await codesOf(goodBundle(), manifest)).toContain(code);
  });

  test('every number of every line of the totals counts', async () => {
    const terms = ['revisions', 'decisions', 'exceptions', 'allow', 'review', 'restrict'] as const;
    for (const [i] of goodBundle().manifest.control_totals.by.entries()) {
      for (const term of terms) {
        const found = await codesOf(goodBundle(), (body) => {
          const by = body.control_totals.by.map((line, j) => (i === j ? { ...line, [term]: line[term] + 1 } : line));
          return totals({ by })(body);
        });
        expect(found, term).toEqual(['bad_total']);
      }
    }
  });

  test('a missing member is found, each of them', async () => {
    for (const key of Object.keys(goodBundle().manifest)) {
      const found = await codesOf(goodBundle(), (body) => {
        const { [key]: _, ...rest } = body as Record<string, unknown>;
        return rest as ManifestBody;
      });
      expect(found, key).toContain('bad_manifest');
    }
  });

  test('lines of the totals in another order are found', async () => {
    const reversed = (body: ManifestBody) => totals({ by: [...body.control_totals.by].reverse() })(body);
    expect(await codesOf(goodBundle(), reversed)).toEqual(['bad_manifest']);
  });

  test('what no rule can check is found by the hash of the members, unless that is forged too', async () => {
    await writeBundle(folder, goodBundle());
    const place = path.join(folder, 'manifest.json');
    const text = await readFile(place, 'utf8');
    const before = sha256Hex(text);
    await writeFile(place, text.replace('"run":"small"', '"run":"other"'));
    expect(await codes()).toEqual(['bad_hash']);
    await writeBundle(folder, goodBundle(), { manifest: member({ run: 'other' }) });
    expect(await codes()).toEqual([]);
    const known = await verifyBundle(folder, { manifestSha256: before });
    expect(known.problems).toMatchObject([{ code: 'bad_hash', file: 'manifest.json' }]);
  });
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
