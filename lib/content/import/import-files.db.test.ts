import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/testing.db.ts';
import { compareBytes } from '../../kernel/text.ts';
import { findSnapshot, listSnapshots, snapshotTotals } from '../snapshot.db.ts';
import { imported, importRows, inputOf, ndjson } from '../testing/content.ts';
import { importInputs } from './import-files.db.ts';
import type { ImportResult } from './report.ts';

let database: TestDatabase;
let databases: TestDatabase[] = [];

beforeEach(async () => {
  database = await testDatabase();
  databases.push(database);
});
afterAll(async () => {
  await Promise.all(databases.map((one) => one.close()));
  databases = [];
});

const TABLES = [
  'source',
  'content_item',
  'revision',
  'revision_text',
  'snapshot',
  'snapshot_name',
  'snapshot_member',
  'gold_label',
  'audit_event',
];

async function counts(): Promise<Record<string, number>> {
  const columns = TABLES.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(', ');
  const { rows } = await database.pool.query(`SELECT ${columns}`);
  return rows[0];
}

async function select<T extends object>(statement: string): Promise<T[]> {
  return (await database.pool.query<T>(statement)).rows;
}

/** Lines and codes of what was rejected. */
function rejects(result: ImportResult): [number, string][] {
  const report = result.ok ? result.value : 'report' in result ? result.report : null;
  return (report?.rejected ?? []).map((row) => [row.line, row.code]);
}

describe('an import is all or nothing', () => {
  test('what was given is stored as it was, with its hashes, and audited once', async () => {
    const text = ' a\r\n😀e\u0301\tמה ';
    const result = await imported(database.pool, [
      {
        content_id: '007',
        text,
        title: 'T',
        author_name: 'A',
        author_id: 'u1',
        parent_text: 'P',
        created_at: '2026-11-01T10:00:00+05:30',
        language: 'he',
      },
    ]);
    expect(result).toMatchObject({ revisions: 1, added: 1, alreadyKnown: 0, rejectedCount: 0, edited: 0 });
    expect(await select('SELECT * FROM revision_text')).toEqual([
      {
        content_id: '007',
        revision: '1',
        text,
        title: 'T',
        author_name: 'A',
        parent_text: 'P',
        author_id: 'u1',
        parent_id: null,
        thread_id: null,
        url: null,
      },
    ]);
    const input = JSON.stringify({ author_name: 'A', parent_text: 'P', text, title: 'T' });
    expect(
      await select('SELECT text_sha256, input_sha256, text_bytes, code_points, language, created_at FROM revision'),
    ).toEqual([
      {
        text_sha256: createHash('sha256').update(text).digest('hex'),
        input_sha256: createHash('sha256').update(input).digest('hex'),
        text_bytes: Buffer.byteLength(text),
        code_points: 11,
        language: 'he',
        created_at: new Date('2026-11-01T04:30:00Z'),
      },
    ]);
    expect(await select('SELECT actor, kind, subject, data FROM audit_event')).toEqual([
      {
        actor: 'cli',
        kind: 'content.imported',
        subject: `snapshot:${result.snapshotId}`,
        data: { sha256: result.sha256, revisions: 1, added: 1, rejected: 0, edited: 0, unpublished: 0 },
      },
    ]);
  });

  test('the same file twice adds nothing, says so and gives the same snapshot', async () => {
    const rows = [{ content_id: 'a', gold: { spam: 1 } }, { content_id: 'b' }];
    const first = await imported(database.pool, rows);
    const before = await counts();
    const second = await imported(database.pool, rows);
    expect(second).toMatchObject({
      added: 0,
      alreadyKnown: 2,
      revisions: 2,
      snapshotId: first.snapshotId,
      sha256: first.sha256,
    });
    expect(await counts()).toEqual({ ...before, audit_event: 2 });
  });

  test('one bad row and nothing is committed; every bad row is told', async () => {
    const bad = `${ndjson({ content_id: 'a' })}{"content_id":1}\noops\n${ndjson({ content_id: 'b', gold: { x: 2 } })}`;
    const result = await importInputs(database.pool, [inputOf(bad)], { actor: 'cli' });
    expect(result).toMatchObject({ ok: false, refusal: 'rejected_rows', report: { rejectedCount: 3 } });
    expect(rejects(result)).toEqual([
      [2, 'bad_id'],
      [3, 'invalid_json'],
      [4, 'bad_gold'],
    ]);
    expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
  });

  test('with skipBad the others are committed, and accepted and rejected make up the rows', async () => {
    const content = `${ndjson({ content_id: 'a' })}oops\n\n${ndjson({ content_id: 'b' }, { content_id: 'a' })}`;
    const result = await importInputs(database.pool, [inputOf(content)], { actor: 'cli', skipBad: true });
    expect(result).toMatchObject({
      ok: true,
      value: { revisions: 2, added: 2, alreadyKnown: 1, rejectedCount: 1, blankLines: 1, files: [{ rows: 4 }] },
    });
  });

  test('the first thousand rejected rows are listed, all are counted', async () => {
    const result = await importInputs(database.pool, [inputOf('x\n'.repeat(1_500))], { actor: 'cli' });
    expect(result).toMatchObject({ ok: false, report: { rejectedCount: 1_500 } });
    expect(rejects(result)).toHaveLength(1_000);
  });

  test('no row makes no snapshot', async () => {
    expect(await importRows(database.pool, [])).toMatchObject({ ok: false, refusal: 'empty_snapshot' });
    const onlyBad = await importInputs(database.pool, [inputOf('x\n')], { actor: 'cli', skipBad: true });
    expect(onlyBad).toMatchObject({ ok: false, refusal: 'empty_snapshot' });
    expect(await counts()).toMatchObject({ source: 0, snapshot: 0, audit_event: 0 });
  });

  test('where a broken quote hides rows, not even skipBad takes the others', async () => {
    const csv = 'content_id,content_type,revision,text\n1,post,1,a\n2,post,1,"b\n3,post,1,c\n';
    const result = await importInputs(database.pool, [inputOf(csv, 'x.csv')], {
      actor: 'cli',
      source: 's',
      skipBad: true,
    });
    expect(result).toMatchObject({
      ok: false,
      refusal: 'unreadable_rest',
      report: { files: [{ unreadableFrom: 3, truncated: true }] },
    });
    expect(await counts()).toMatchObject({ content_item: 0, snapshot: 0 });
  });

  test('a file that is something else stops the import, also after a good one', async () => {
    const inputs = [inputOf(ndjson({ content_id: 'a' })), inputOf('[\n{}\n]', 'b.json')];
    expect(await importInputs(database.pool, inputs, { actor: 'cli', skipBad: true })).toMatchObject({
      ok: false,
      refusal: 'bad_file',
      file: 'b.json',
      problem: { looksLike: 'json_array' },
    });
    expect(await counts()).toMatchObject({ content_item: 0, snapshot: 0 });
  });

  test.each(['reading', 'merging'] as const)(
    'an order to stop while %s commits nothing and closes the connection',
    async (stage) => {
      const stop = new AbortController();
      const options = { actor: 'cli' as const, signal: stop.signal };
      const running = importInputs(database.pool, [inputOf(ndjson({ content_id: 'a' }))], options, (progress) => {
        if (progress.stage === stage) stop.abort();
      });
      await expect(running).rejects.toThrow();
      expect(Object.values(await counts()).every((count) => count === 0)).toBe(true);
      // The server clears up after it has noticed that the connection is gone.
      const left = "SELECT relname FROM pg_class WHERE relname LIKE 'import_%' AND relpersistence = 't'";
      await expect.poll(() => select(left), { timeout: 20_000 }).toEqual([]);
    },
  );

  test('whatever the bytes, an import commits whole rows that add up, or nothing', async () => {
    const piece = fc.constantFrom(
      ...[
        ndjson({ content_id: 'p' }),
        ndjson({ content_id: 'p', text: 'other' }),
        ndjson({ content_id: 'q', gold: { a: 1 } }),
        ndjson({ content_id: 'q', gold: { a: 0 } }),
        ndjson({ content_id: 'r', source: 'else' }),
        '{',
        '\n',
        '"',
        '\u0000',
        '[]\n',
      ].map((text) => Buffer.from(text)),
      Buffer.from([0xff]),
    );
    const content = fc.array(piece, { maxLength: 6 }).map((parts) => Buffer.concat(parts));
    await fc.assert(
      fc.asyncProperty(content, fc.boolean(), async (bytes, skipBad) => {
        const before = await counts();
        const result = await importInputs(database.pool, [inputOf(bytes)], { actor: 'cli', skipBad });
        const after = await counts();
        if (!result.ok) {
          expect(after).toEqual(before);
          return;
        }
        const { added, alreadyKnown, rejectedCount, files, revisions, by } = result.value;
        expect(added + alreadyKnown + rejectedCount).toBe(files[0]?.rows);
        expect(after.revision).toBe((before.revision ?? 0) + added);
        expect(after.revision_text).toBe(after.revision);
        expect(by.reduce((sum, one) => sum + one.revisions, 0)).toBe(revisions);
        if (!skipBad) expect(rejectedCount).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('duplicates are told from conflicts', () => {
  test('within the files a duplicate counts as known, and the first metadata stays', async () => {
    const result = await imported(database.pool, [
      { content_id: 'a', url: 'first' },
      { content_id: 'a', url: 'second' },
    ]);
    expect(result).toMatchObject({ added: 1, alreadyKnown: 1, revisions: 1 });
    await imported(database.pool, [{ content_id: 'a', url: 'third', author_id: 'u' }]);
    expect(await select('SELECT url, author_id FROM revision_text')).toEqual([{ url: 'first', author_id: null }]);
  });

  const conflicts: [string, object, object, string][] = [
    ['another text under one revision', { text: 'x' }, { text: 'y' }, 'revision_conflict'],
    ['another title under one revision', { title: 'x' }, {}, 'revision_conflict'],
    ['another type', { content_type: 'post' }, { revision: '2' }, 'type_conflict'],
    ['another source', { source: 'x' }, { revision: '2' }, 'source_conflict'],
    ['a label that is 0 and 1', { gold: { spam: 1 } }, { gold: { spam: 0, hate: 1 } }, 'gold_conflict'],
    ['two verdicts', { gold: 'allow' }, { gold: 'restrict' }, 'gold_conflict'],
  ];

  test.each(conflicts)('in one file, %s rejects both lines and no other', async (_, one, other, code) => {
    const rows = [{ content_id: 'a', ...one }, { content_id: 'b' }, { content_id: 'a', ...other }];
    const result = await importRows(database.pool, rows, { skipBad: true });
    expect(rejects(result)).toEqual([
      [1, code],
      [3, code],
    ]);
    expect(result).toMatchObject({ ok: true, value: { revisions: 1, added: 1 } });
    expect(await select('SELECT name FROM source')).toEqual([{ name: 'forum' }]);
    expect(rejects(await importRows(database.pool, rows))).toEqual([
      [1, code],
      [3, code],
    ]);
  });

  test.each(conflicts)(
    'against what is stored, %s rejects the line and changes nothing',
    async (_, one, other, code) => {
      await imported(database.pool, [{ content_id: 'a', ...one }]);
      const stored = await select('SELECT * FROM revision_text');
      const rows = [
        { content_id: 'b', source: 'b' },
        { content_id: 'a', ...other },
      ];
      expect(await importRows(database.pool, rows)).toMatchObject({ ok: false, refusal: 'rejected_rows' });
      const result = await importRows(database.pool, rows, { skipBad: true });
      expect(rejects(result)).toEqual([[2, code]]);
      expect(await select("SELECT * FROM revision_text WHERE content_id = 'a'")).toEqual(stored);
      expect(result).toMatchObject({ ok: true, value: { revisions: 1, added: 1, alreadyKnown: 0 } });
    },
  );

  test('a source of which no row was taken is not made', async () => {
    await imported(database.pool, [{ content_id: 'a' }]);
    await importRows(database.pool, [{ content_id: 'a', source: 'typo' }, { content_id: 'b' }], { skipBad: true });
    expect(await select('SELECT name FROM source')).toEqual([{ name: 'forum' }]);
  });

  test('rows of several files are told by their file', async () => {
    const inputs = [
      inputOf(ndjson({ content_id: 'a', text: 'x' }), 'one'),
      inputOf(`oops\n${ndjson({ content_id: 'a', text: 'y' })}`, 'two'),
    ];
    const result = await importInputs(database.pool, inputs, { actor: 'cli' });
    expect(!result.ok && 'report' in result && result.report.rejected).toEqual([
      { file: 'one', line: 1, code: 'revision_conflict', field: 'revision' },
      { file: 'two', line: 1, code: 'invalid_json', field: null },
      { file: 'two', line: 2, code: 'revision_conflict', field: 'revision' },
    ]);
  });
});

describe('gold', () => {
  test('partial gold merges, within a file and with what is stored', async () => {
    await imported(database.pool, [
      { content_id: 'a', gold: { spam: 1 } },
      { content_id: 'a', gold: { hate: 0 } },
    ]);
    await imported(database.pool, [
      { content_id: 'a', gold: { spam: 1, threat: 0 } },
      { content_id: 'a', gold: 'restrict' },
    ]);
    expect(await select('SELECT kind, label, value, origin FROM gold_label ORDER BY kind, label')).toEqual([
      { kind: 'label', label: 'hate', value: 0, origin: 'import' },
      { kind: 'label', label: 'spam', value: 1, origin: 'import' },
      { kind: 'label', label: 'threat', value: 0, origin: 'import' },
      { kind: 'verdict', label: 'restrict', value: 1, origin: 'import' },
    ]);
  });

  test('gold belongs to its revision', async () => {
    await imported(database.pool, [
      { content_id: 'a', gold: { spam: 1 } },
      { content_id: 'a', revision: '2', gold: { spam: 0 } },
    ]);
    expect(await select('SELECT revision, value FROM gold_label ORDER BY revision')).toEqual([
      { revision: '1', value: 1 },
      { revision: '2', value: 0 },
    ]);
  });
});

describe('a snapshot', () => {
  test('is hashed over its members in bytewise order, which is not that of JavaScript', async () => {
    const ids = ['a', 'B', 'ä', 'Z', '_', 'a-b', 'ab', 'A', '\uff5e', '\u{1f600}', '10', '9', 'back\\slash'];
    const result = await imported(
      database.pool,
      ids.flatMap((id) => [
        { content_id: id, revision: '2' },
        { content_id: id, revision: '10' },
      ]),
    );
    const inputSha256 = createHash('sha256').update('{"text":"hello"}').digest('hex');
    const members = ids.flatMap(
      (id) =>
        [
          [id, '10'],
          [id, '2'],
        ] as const,
    );
    const sorted = [...members].sort((a, b) => compareBytes(a[0], b[0]) || compareBytes(a[1], b[1]));
    const lines = sorted.map(([id, revision]) => `${id}\0${revision}\0${inputSha256}\n`).join('');
    expect(result.sha256).toBe(createHash('sha256').update(lines).digest('hex'));
    expect(
      (
        await select<{ content_id: string }>(
          'SELECT content_id, revision FROM snapshot_member ORDER BY content_id, revision',
        )
      ).map(Object.values),
    ).toEqual(sorted);
  });

  test('holds all accepted rows, known ones too, with control totals by source and type', async () => {
    await imported(database.pool, [{ content_id: 'a' }]);
    const result = await imported(database.pool, [
      { content_id: 'a' },
      { content_id: 'b', content_type: 'post' },
      { content_id: 'c', source: 'Forum' },
    ]);
    expect(await snapshotTotals(database.pool, result.snapshotId)).toEqual([
      { source: 'Forum', contentType: 'comment', revisions: 1 },
      { source: 'forum', contentType: 'comment', revisions: 1 },
      { source: 'forum', contentType: 'post', revisions: 1 },
    ]);
    expect(result.by).toEqual([
      { source: 'Forum', kind: 'backfill', contentType: 'comment', revisions: 1 },
      { source: 'forum', kind: 'backfill', contentType: 'comment', revisions: 1 },
      { source: 'forum', kind: 'backfill', contentType: 'post', revisions: 1 },
    ]);
  });

  test('gets a name from the file and its hash where none is given, and further names as aliases', async () => {
    const first = await imported(database.pool, [{ content_id: 'a' }]);
    expect(first.snapshot).toBe(`test-${first.sha256.slice(0, 8)}`);
    const second = await imported(database.pool, [{ content_id: 'a' }], { snapshotName: 'alias' });
    expect(second).toMatchObject({ snapshot: 'alias', snapshotId: first.snapshotId, names: [first.snapshot, 'alias'] });
    const third = await imported(database.pool, [{ content_id: 'a' }]);
    expect(third).toMatchObject({ snapshot: first.snapshot, names: [first.snapshot, 'alias'] });
    for (const name of ['alias', first.snapshot, first.snapshotId]) {
      expect(await findSnapshot(database.pool, name)).toMatchObject({
        id: first.snapshotId,
        names: [first.snapshot, 'alias'],
      });
    }
    expect(await findSnapshot(database.pool, 'nobody')).toBeNull();
    expect(await findSnapshot(database.pool, '00000000-0000-0000-0000-000000000000')).toBeNull();
    expect(await listSnapshots(database.pool)).toHaveLength(1);
  });

  test('a name that belongs to other members is refused, and nothing is committed', async () => {
    await imported(database.pool, [{ content_id: 'a' }], { snapshotName: 'mine' });
    const before = await counts();
    const result = await importRows(database.pool, [{ content_id: 'b' }], { snapshotName: 'mine' });
    expect(result).toMatchObject({ ok: false, refusal: 'snapshot_name_taken' });
    expect(await counts()).toEqual(before);
  });

  test.each([
    [{ snapshotName: '' }, 'snapshotName'],
    [{ snapshotName: 'ba6f8942-2f16-4665-9891-86a0827225c2' }, 'snapshotName'],
    [{ source: 'a\nb' }, 'source'],
    [{ idPrefix: '' }, 'idPrefix'],
  ])('%j is refused before anything is read', async (options, option) => {
    expect(await importRows(database.pool, [{ content_id: 'a' }], options)).toEqual({
      ok: false,
      refusal: 'bad_option',
      option,
    });
  });
});
