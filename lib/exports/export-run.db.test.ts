import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { decisionId } from '../kernel/keys.ts';
import { type ExportRequest, exportRun } from './export-run.db.ts';
import { SEED_ACTION, SEED_REVIEW } from './testing/review.sql.ts';
import { type SeededRun, type SeedItem, seedRun } from './testing/run.db.ts';
import { verifyBundle } from './verify.fs.ts';

let database: TestDatabase;
let root: string;
let out: string;
let count = 0;
let run: SeededRun;
beforeAll(async () => {
  database = await testDatabase({ max: 6 });
  root = await mkdtemp(path.join(tmpdir(), 'docket export '));
});
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true, force: true });
});

/** Ids whose order differs between UTF-8, UTF-16 and any human language. */
const ITEMS: SeedItem[] = [
  ...['a', 'B', 'ä', 'Z', '_', 'a-b', 'ab', 'A', '～', '😀', '10', '9'].map((id) => ({
    contentId: id,
    end: 'allow' as const,
  })),
  {
    contentId: 'spam',
    end: 'restrict',
    source: 'forum/b',
    contentType: 'post',
    title: 'Title',
    text: 'Buy "now"\n\t\u2028',
  },
  { contentId: 'odd', revision: '1', end: 'review' },
  { contentId: 'odd', revision: '01', end: 'review' },
  { contentId: 'lost', end: 'exception' },
];

/** Content is the test's own, so that tests do not see each other's decisions. */
beforeEach(async () => {
  const prefix = `t${++count}-`;
  out = path.join(root, `out ${count}`);
  run = await seedRun(
    database.pool,
    ITEMS.map((item) => ({ ...item, contentId: prefix + item.contentId })),
    { name: `run ${count}` },
  );
});
const id = (name: string): string => `t${count}-${name}`;

function request(more: Partial<ExportRequest> = {}): ExportRequest {
  return {
    run: run.name,
    outFolder: out,
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket: { version: '0.1.0', commit: null },
    ...more,
  };
}

async function exported(more: Partial<ExportRequest> = {}) {
  const result = await exportRun(database.pool, request(more));
  if (!result.ok) throw new Error(`${result.refusal} ${JSON.stringify(result.detail)}`);
  return result.value;
}

async function rowsOf(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function states(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query(
    'SELECT state, count(*) AS count FROM work_item WHERE run_id = $1 GROUP BY state ORDER BY state',
    [run.runId],
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.count]));
}

test('a finished run becomes a sound bundle under its id, and its items exported', async () => {
  const bundle = await exported();
  expect(bundle).toMatchObject({
    rows: 15,
    exceptions: 1,
    supersedes: null,
    mended: false,
    path: path.join(out, bundle.exportId),
  });
  expect(await verifyBundle(bundle.path, bundle)).toMatchObject({ ok: true, rows: 15, exceptions: 1 });
  expect(await readdir(out)).toEqual([bundle.exportId]);
  expect(sha256Hex(await readFile(path.join(bundle.path, 'manifest.json')))).toBe(bundle.manifestSha256);
  expect(await states()).toEqual({ exported: 15, failed_review: 1 });
  const { rows } = await database.pool.query(
    'SELECT state, row_count, exception_count, manifest_sha256 FROM export WHERE id = $1',
    [bundle.exportId],
  );
  expect(rows).toEqual([
    { state: 'published', row_count: 15, exception_count: 1, manifest_sha256: bundle.manifestSha256 },
  ]);
  const audit = await database.pool.query('SELECT kind FROM audit_event WHERE subject = $1 ORDER BY id', [
    `run:${run.runId}`,
  ]);
  expect(audit.rows.map((row) => row.kind)).toEqual(['export.started', 'export.published']);
});

test('rows say what the contract says, in UTF-8 order, with no word of the content', async () => {
  const one = ITEMS.find((item) => item.contentId === 'spam') as SeedItem;
  const key = decisionId(id('spam'), '1', 'forum@1');
  const lost = decisionId(id('lost'), '1', 'forum@1');
  await database.pool.query(SEED_ACTION, [id('spam'), '1', key]);
  await database.pool.query(SEED_REVIEW, [id('lost'), '1', lost, 'restrict', ['spam'], 'spam', 'a private note']);
  const bundle = await exported();
  const decisions = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(decisions.map((row) => [row.content_id, row.revision])).toEqual(
    ['10', '9', 'A', 'B', 'Z', '_', 'a', 'a-b', 'ab', 'odd', 'odd', 'spam', 'ä', '～', '😀'].map((name, i) => [
      id(name),
      i === 9 ? '01' : '1',
    ]),
  );
  expect(decisions.find((row) => row.content_id === id('spam'))).toEqual({
    decision_id: key,
    content_id: id('spam'),
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
  const plain = await exported();
  const packed = await exported({ gzip: true });
  const inside = gunzipSync(await readFile(path.join(packed.path, 'decisions.ndjson.gz'))).toString();
  expect(inside.replaceAll(packed.exportId, plain.exportId)).toBe(
    await readFile(path.join(plain.path, 'decisions.ndjson'), 'utf8'),
  );
  expect((await verifyBundle(packed.path)).ok).toBe(true);
});

test('a second export names the one it supersedes and leaves it as it was', async () => {
  const first = await exported();
  const second = await exported();
  expect(second.supersedes).toBe(first.exportId);
  expect((await verifyBundle(first.path, first)).ok).toBe(true);
  const manifest = JSON.parse(await readFile(path.join(second.path, 'manifest.json'), 'utf8'));
  expect(manifest.supersedes).toBe(first.exportId);
});

test('text and notes travel only with a purpose, which is in the manifest and the audit', async () => {
  const lost = decisionId(id('lost'), '1', 'forum@1');
  await database.pool.query(SEED_REVIEW, [id('lost'), '1', lost, 'allow', [], null, 'a private note']);
  const bundle = await exported({ purpose: 'Appeal 17' });
  expect(await verifyBundle(bundle.path)).toMatchObject({ ok: true });
  const decisions = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(decisions.find((row) => row.content_id === id('spam'))).toMatchObject({
    text: 'Buy "now"\n\t\u2028',
    title: 'Title',
    author_name: null,
  });
  expect(await rowsOf(bundle.path, 'exceptions.ndjson')).toMatchObject([{ review: { note: 'a private note' } }]);
  const { rows } = await database.pool.query(
    "SELECT data FROM audit_event WHERE kind = 'export.started' AND subject = $1",
    [`run:${run.runId}`],
  );
  expect(rows[0].data).toMatchObject({ with_text: true, purpose: 'Appeal 17' });
  for (const purpose of ['', '  ', 'two\nlines', 'x'.repeat(501)]) {
    expect(await exportRun(database.pool, request({ purpose }))).toEqual({ ok: false, refusal: 'bad_purpose' });
  }
});

test('every character is written as RFC 8785 wants it, in ids, sources, labels, reasons and texts', async () => {
  // All of the first 768 characters but NUL, which the database cannot hold, and some that others stumble over.
  const all = String.fromCodePoint(...Array.from({ length: 767 }, (_, i) => i + 1));
  const odd = `${all}\u2028\u2029\ufeff\uffff\u{1f600}\\"/`;
  const printable = odd.replace(/\p{Cc}/gu, '');
  const strange = await seedRun(
    database.pool,
    [
      {
        contentId: `${id('x')}${printable.slice(0, 200)}`,
        source: `s${printable.slice(200, 500)}`,
        text: odd,
        title: odd,
        end: 'review',
        spam: 0.4000000000000001,
      },
    ],
    { name: `strange ${count}` },
  );
  const key = (
    await database.pool.query('SELECT decision_id, content_id FROM work_item WHERE run_id = $1', [strange.runId])
  ).rows[0];
  await database.pool.query(SEED_REVIEW, [key.content_id, '1', key.decision_id, 'allow', [odd, 'b'], odd, odd]);
  const bundle = await exported({ run: strange.name, purpose: 'characters' });
  const [row] = await rowsOf(bundle.path, 'decisions.ndjson');
  expect(row).toMatchObject({ text: odd, title: odd, review: { labels: [odd, 'b'], reason: odd, note: odd } });
  expect(row).toMatchObject({
    content_id: key.content_id,
    classification: { scores: { spam: 0.4000000000000001, threat: 1e-7 } },
  });
});

test('text that was erased is null and the bundle is still sound', async () => {
  await database.pool.query('DELETE FROM revision_text WHERE content_id = $1', [id('spam')]);
  const bundle = await exported({ purpose: 'Appeal 18' });
  expect((await verifyBundle(bundle.path)).problems).toEqual([]);
});

test('pending work refuses, says how much and why, and leaves nothing', async () => {
  const open = await seedRun(database.pool, [{ contentId: id('open'), end: 'pending' }], { name: `open ${count}` });
  await database.pool.query("UPDATE run SET state = 'paused', pause_reason = 'operator' WHERE id = $1", [open.runId]);
  expect(await exportRun(database.pool, request({ run: open.name }))).toEqual({
    ok: false,
    refusal: 'pending_work',
    detail: { pending: 1, leased: 0, state: 'paused', pause_reason: 'operator' },
  });
  await expect(access(out)).rejects.toThrow();
});

test('an unknown run is refused', async () => {
  expect(await exportRun(database.pool, request({ run: 'no such run' }))).toEqual({
    ok: false,
    refusal: 'unknown_run',
  });
});

test('a decision made in an earlier run is exported again, as deduplicated', async () => {
  const again = await seedRun(
    database.pool,
    [
      ...ITEMS.slice(0, 3).map((item) => ({ ...item, contentId: id(item.contentId) })),
      { contentId: id('new'), end: 'allow' },
    ],
    { name: `again ${count}` },
  );
  const bundle = await exported({ run: again.runId });
  const manifest = JSON.parse(await readFile(path.join(bundle.path, 'manifest.json'), 'utf8'));
  expect(manifest.control_totals).toMatchObject({ revisions: 4, decisions: 4, deduplicated: 3, exceptions: 0 });
  expect((await verifyBundle(bundle.path)).ok).toBe(true);
});

/** What no act does, done by hand to see it found: the triggers are taken away for one statement. */
async function tamper(table: string, statement: string, values: unknown[]): Promise<void> {
  await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await database.pool.query(statement, values);
  await database.pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

test('a decision that has vanished, or rows of another source, stop the export', async () => {
  await tamper('decision', 'DELETE FROM decision WHERE content_id = $1', [id('a')]);
  expect(await exportRun(database.pool, request())).toMatchObject({
    ok: false,
    refusal: 'does_not_reconcile',
    detail: { term: 'decisions', source: 'forum/a', expected: 14, counted: 13 },
  });
  expect(await states()).toEqual({ classified: 15, failed_review: 1 });
});

test('an item counted in another source than its content stops the export', async () => {
  await database.pool.query("UPDATE work_item SET source = 'forum/b' WHERE content_id = $1", [id('a')]);
  expect(await exportRun(database.pool, request())).toMatchObject({ ok: false, refusal: 'does_not_reconcile' });
});

test('rows that come out fewer than was counted stop the export', async () => {
  await tamper('revision', 'DELETE FROM revision WHERE content_id = $1', [id('lost')]);
  expect(await exportRun(database.pool, request())).toMatchObject({
    ok: false,
    refusal: 'totals_differ',
    detail: { what: 'revisions', expected: 16, found: 15 },
  });
  expect(await readdir(out)).toEqual([]);
});

test('a decision that was altered makes rows that no longer hold together, and nothing is published', async () => {
  await tamper('decision', "UPDATE decision SET input_sha256 = repeat('0', 64) WHERE content_id = $1", [id('a')]);
  expect(await exportRun(database.pool, request())).toMatchObject({
    ok: false,
    refusal: 'not_sound',
    detail: { problems: 1, code: 'bad_snapshot', file: 'manifest.json' },
  });
  expect(await readdir(out)).toEqual([]);
  const { rows } = await database.pool.query('SELECT state FROM export WHERE run_id = $1', [run.runId]);
  expect(rows).toEqual([{ state: 'abandoned' }]);
});

test('two exports of one run at once: one waits for nobody and is refused', async () => {
  let inside: (() => void) | undefined;
  const met = new Promise<void>((resolve) => {
    inside = resolve;
  });
  let letGo: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const first = exported({
    onStage: async ({ stage }) => {
      if (stage !== 'before_manifest') return;
      inside?.();
      await gate;
    },
  });
  await met;
  expect(await exportRun(database.pool, request())).toEqual({ ok: false, refusal: 'export_running' });
  letGo?.();
  expect((await verifyBundle((await first).path)).ok).toBe(true);
});

test('rows are one moment: a review given while the bundle is written is not in it', async () => {
  const bundle = await exported({
    onStage: async (stage) => {
      if (stage.stage === 'rows' && stage.written === 0) {
        await database.pool.query(SEED_REVIEW, [
          id('odd'),
          '1',
          decisionId(id('odd'), '1', 'forum@1'),
          'allow',
          [],
          null,
          'late',
        ]);
      }
    },
  });
  expect((await rowsOf(bundle.path, 'decisions.ndjson')).every((row) => row.review === null)).toBe(true);
  const next = await exported();
  expect((await rowsOf(next.path, 'decisions.ndjson')).filter((row) => row.review !== null)).toHaveLength(1);
});

test('an aborted export leaves no folder and no claim to have published', async () => {
  const stop = new AbortController();
  const attempt = exportRun(
    database.pool,
    request({
      signal: stop.signal,
      onStage: ({ stage }) => {
        if (stage === 'before_manifest') stop.abort(new Error('stopped by hand'));
      },
    }),
  );
  await expect(attempt).rejects.toThrow('stopped by hand');
  expect(await readdir(out)).toEqual([]);
  expect((await exported()).mended).toBe(false);
});

test('an export aborted in the middle of its rows gives its connection and its lock back', async () => {
  for (let i = 0; i < 8; i++) {
    const stop = new AbortController();
    const attempt = exportRun(
      database.pool,
      request({
        signal: stop.signal,
        onStage: (stage) => {
          if (stage.stage === 'rows' && stage.written > 0) stop.abort(new Error('stopped by hand'));
        },
      }),
    );
    await expect(attempt).rejects.toThrow('stopped by hand');
  }
  expect(await readdir(out)).toEqual([]);
  expect((await exported()).mended).toBe(false);
});

test('a folder that cannot be written is an error of the disk, and the export is given up', async () => {
  await writeFile(path.join(root, `file ${count}`), '');
  await expect(
    exportRun(database.pool, request({ outFolder: path.join(root, `file ${count}`, 'x') })),
  ).rejects.toMatchObject({ code: 'ENOTDIR' });
  const { rows } = await database.pool.query('SELECT state FROM export WHERE run_id = $1', [run.runId]);
  expect(rows).toEqual([{ state: 'abandoned' }]);
});

test('a run requeued after the rename keeps its new items unexported until the next bundle holds them', async () => {
  const cut = exportRun(
    database.pool,
    request({
      onStage: async ({ stage }) => {
        if (stage !== 'renamed') return;
        await database.pool.query(
          "UPDATE work_item SET state = 'pending', failure_code = NULL, failed_at = NULL WHERE run_id = $1 AND state = 'failed_review'",
          [run.runId],
        );
        await database.pool.query(
          "UPDATE work_item SET state = 'classified', effect = 'none' WHERE run_id = $1 AND state = 'pending'",
          [run.runId],
        );
      },
    }),
  );
  expect((await cut).ok).toBe(true);
  expect(await states()).toEqual({ classified: 16 });
});
