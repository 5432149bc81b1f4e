import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sha256Hex } from '../kernel/hash.ts';
import { decisionId } from '../kernel/keys.ts';
import { exportRun } from './export-run.db.ts';
import { finishedRun, ITEMS, rowsOf } from './testing/finished-run.db.ts';
import { SEED_ACTION, SEED_REVIEW } from './testing/review.sql.ts';
import { type SeedItem, seedRun } from './testing/run.db.ts';
import { verifyBundle } from './verify.fs.ts';

const f = finishedRun();

test('rows say what the contract says, in UTF-8 order, with no word of the content', async () => {
  const one = ITEMS.find((item) => item.contentId === 'spam') as SeedItem;
  const key = decisionId(f.id('spam'), '1', 'forum@1');
  const lost = decisionId(f.id('lost'), '1', 'forum@1');
  await f.pool.query(SEED_ACTION, [f.id('spam'), '1', key]);
  await f.pool.query(SEED_REVIEW, [f.id('lost'), '1', lost, 'restrict', ['spam'], 'spam', 'a private note']);
  const bundle = await f.exported();
  const decisions = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(decisions.map((row) => [row.content_id, row.revision])).toEqual(
    ['10', '9', 'A', 'B', 'Z', '_', 'a', 'a-b', 'ab', 'odd', 'odd', 'spam', 'ä', '～', '😀'].map((name, i) => [
      f.id(name),
      i === 9 ? '01' : '1',
    ]),
  );
  expect(decisions.find((row) => row.content_id === f.id('spam'))).toEqual({
    decision_id: key,
    content_id: f.id('spam'),
    content_type: 'post',
    source: 'forum/b',
    revision: '1',
    text_sha256: sha256Hex(one.text as string),
    input_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    policy_version: 'forum@1',
    prompt_sha256: 'b'.repeat(64),
    contract_version: 'scores/1',
    classifier: 'builtin',
    model: 'c'.repeat(64),
    classification: { scores: { spam: 0.95, threat: 1e-7, hate: null } },
    verdict: 'restrict',
    because: [{ label: 'spam', score: 0.95, threshold: 0.9, rule: 'restrictAt' }],
    attempts: 2,
    attempt_lineage: [
      { number: 1, at: expect.any(String), outcome: 'lease_expired' },
      { number: 2, at: expect.any(String), outcome: 'ok' },
    ],
    committed_at: expect.any(String),
    effect: 'none',
    review: null,
    enforcement: { action: 'hide', state: 'applied', at: expect.any(String) },
    export_id: bundle.exportId,
  });
  const exceptions = await rowsOf(bundle.path, 'exceptions.ndjson');
  expect(exceptions).toMatchObject([
    {
      decision_id: lost,
      code: 'timeout',
      attempts: 2,
      review: { verdict: 'restrict', labels: ['spam'], reason: 'spam', role: 'reviewer' },
    },
  ]);
  for (const name of await readdir(bundle.path)) {
    expect(await readFile(path.join(bundle.path, name), 'utf8')).not.toMatch(/Buy|text of|Title"|private note/);
  }
});

test('a packed bundle holds the same rows', async () => {
  const plain = await f.exported();
  const packed = await f.exported({ gzip: true });
  const inside = gunzipSync(await readFile(path.join(packed.path, 'decisions.ndjson.gz'))).toString();
  expect(inside.replaceAll(packed.exportId, plain.exportId)).toBe(
    await readFile(path.join(plain.path, 'decisions.ndjson'), 'utf8'),
  );
  expect((await verifyBundle(packed.path)).ok).toBe(true);
});

test('text and notes travel only with a purpose, which is in the manifest and the audit', async () => {
  const lost = decisionId(f.id('lost'), '1', 'forum@1');
  await f.pool.query(SEED_REVIEW, [f.id('lost'), '1', lost, 'allow', [], null, 'a private note']);
  const bundle = await f.exported({ purpose: 'Appeal 17' });
  expect(await verifyBundle(bundle.path)).toMatchObject({ ok: true });
  const decisions = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(decisions.find((row) => row.content_id === f.id('spam'))).toMatchObject({
    text: 'Buy "now"\n\t\u2028',
    title: 'Title',
    author_name: null,
  });
  expect(await rowsOf(bundle.path, 'exceptions.ndjson')).toMatchObject([{ review: { note: 'a private note' } }]);
  const { rows } = await f.pool.query("SELECT data FROM audit_event WHERE kind = 'export.started' AND subject = $1", [
    `run:${f.run.runId}`,
  ]);
  expect(rows[0].data).toMatchObject({ with_text: true, purpose: 'Appeal 17' });
  for (const purpose of ['', '  ', 'two\nlines', 'x'.repeat(501)]) {
    expect(await exportRun(f.pool, f.request({ purpose }))).toEqual({ ok: false, refusal: 'bad_purpose' });
  }
});

test('every character is written as RFC 8785 wants it, in ids, sources, labels, reasons and texts', async () => {
  // All of the first 768 characters but NUL, which the database cannot hold, and some that others stumble over.
  const all = String.fromCodePoint(...Array.from({ length: 767 }, (_, i) => i + 1));
  const odd = `${all}\u2028\u2029\ufeff\uffff\u{1f600}\\"/`;
  const printable = odd.replace(/\p{Cc}/gu, '');
  const strange = await seedRun(
    f.pool,
    [
      {
        contentId: `${f.id('x')}${printable.slice(0, 200)}`,
        source: `s${printable.slice(200, 500)}`,
        text: odd,
        title: odd,
        end: 'review',
        spam: 0.4000000000000001,
      },
    ],
    { name: f.named('strange') },
  );
  const key = (await f.pool.query('SELECT decision_id, content_id FROM work_item WHERE run_id = $1', [strange.runId]))
    .rows[0];
  await f.pool.query(SEED_REVIEW, [key.content_id, '1', key.decision_id, 'allow', [odd, 'b'], odd, odd]);
  const bundle = await f.exported({ run: strange.name, purpose: 'characters' });
  const [row] = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(row).toMatchObject({ text: odd, title: odd, review: { labels: [odd, 'b'], reason: odd, note: odd } });
  expect(row).toMatchObject({
    content_id: key.content_id,
    classification: { scores: { spam: 0.4000000000000001, threat: 1e-7 } },
  });
});

test('text that was erased is null and the bundle is still sound', async () => {
  await f.pool.query('DELETE FROM revision_text WHERE content_id = $1', [f.id('spam')]);
  const bundle = await f.exported({ purpose: 'Appeal 18' });
  expect((await verifyBundle(bundle.path)).problems).toEqual([]);
});

test('a decision made in an earlier run is exported again, as deduplicated', async () => {
  const again = await seedRun(
    f.pool,
    [
      ...ITEMS.slice(0, 3).map((item) => ({ ...item, contentId: f.id(item.contentId) })),
      { contentId: f.id('new'), end: 'allow' },
    ],
    { name: f.named('again') },
  );
  const bundle = await f.exported({ run: again.runId });
  const manifest = JSON.parse(await readFile(path.join(bundle.path, 'manifest.json'), 'utf8'));
  expect(manifest.control_totals).toMatchObject({ revisions: 4, decisions: 4, deduplicated: 3, exceptions: 0 });
  expect((await verifyBundle(bundle.path)).ok).toBe(true);
});

test('rows are one moment: a review given while the bundle is written is not in it', async () => {
  const bundle = await f.exported({
    onStage: async (stage) => {
      if (stage.stage === 'rows' && stage.written === 0) {
        await f.pool.query(SEED_REVIEW, [
          f.id('odd'),
          '1',
          decisionId(f.id('odd'), '1', 'forum@1'),
          'allow',
          [],
          null,
          'late',
        ]);
      }
    },
  });
  expect((await rowsOf(bundle.path, 'decisions.ndjson')).every((row) => row.review === null)).toBe(true);
  const next = await f.exported();
  expect((await rowsOf(next.path, 'decisions.ndjson')).filter((row) => row.review !== null)).toHaveLength(1);
});
