import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { type ManifestBody, writeManifest } from './manifest.ts';
import type { DecisionRow, ExceptionRow } from './row.ts';
import { type Bundle, bundleOf, exceptionRow, goodBundle, writeBundle } from './testing/bundle.fs.ts';
import { verifyBundle } from './verify.fs.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'docket verify '));
  folder = path.join(root, 'bundle');
});
afterAll(() => rm(root, { recursive: true, force: true }));

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
    for (const key of Object.keys(goodBundle().manifest).filter((name) => name !== 'self_sha256')) {
      const found = await codesOf(goodBundle(), (body) => {
        const { [key]: _, ...rest } = body as Record<string, unknown>;
        return rest as ManifestBody;
      });
      expect(found, key).toContain('bad_manifest');
    }
  });

  test('a manifest written in another form is found, and a wrong total in it all the same', async () => {
    await writeBundle(folder, goodBundle());
    const place = path.join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(place, 'utf8'));
    manifest.control_totals.decisions += 1;
    await writeFile(place, JSON.stringify(manifest, null, 2));
    const { problems } = await verifyBundle(folder);
    expect(problems.map((one) => one.code)).toEqual(expect.arrayContaining(['bad_manifest', 'bad_hash', 'bad_total']));
  });

  test('a manifest without a hash of itself is judged by its members and files', async () => {
    await writeBundle(folder, goodBundle());
    const place = path.join(folder, 'manifest.json');
    const { self_sha256: _, ...body } = JSON.parse(await readFile(place, 'utf8'));
    await writeFile(place, `${canonicalJson(body)}\n`);
    expect(await verifyBundle(folder)).toMatchObject({ ok: true, problems: [] });
    await writeFile(place, `${canonicalJson({ ...body, self_sha256: '0'.repeat(64) })}\n`);
    expect((await verifyBundle(folder)).problems.map((one) => one.code)).toEqual(['bad_hash']);
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
