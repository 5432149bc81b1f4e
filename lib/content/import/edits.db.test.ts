import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/testing.db.ts';
import { decisionId, NO_POLICY } from '../../kernel/keys.ts';
import type { StatusState } from '../status.ts';
import { imported, importRows, setStatus } from '../testing/content.ts';
import type { SourceKind } from './options.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

async function item(contentId: string) {
  const { rows } = await database.pool.query(
    `SELECT current_revision AS revision, status, status_rank AS rank, status_action AS action, status_version AS version
     FROM content_item WHERE content_id = $1`,
    [contentId],
  );
  return rows[0];
}

async function records(contentId: string) {
  const { rows } = await database.pool.query(
    `SELECT version, revision, prior_status, prior_rank, next_status, next_rank, actor, reason, answers, decision_id
     FROM rollback_record WHERE content_id = $1 AND reason = 'new_revision'`,
    [contentId],
  );
  return rows;
}

describe('the kind of a source', () => {
  test.each<[SourceKind, string]>([
    ['backfill', 'published'],
    ['live', 'pending'],
    ['documents', 'pending'],
  ])('content of a %s source starts %s, at version 0 and without record', async (kind, status) => {
    await imported(database.pool, [{ content_id: `start-${kind}`, source: kind }], { kind });
    expect(await item(`start-${kind}`)).toEqual({ revision: '1', status, rank: 'policy', action: null, version: 0 });
    expect(await records(`start-${kind}`)).toEqual([]);
  });

  test('is fixed by its first import; without a kind a known source keeps its own', async () => {
    await imported(database.pool, [{ content_id: 'k1', source: 'fixed' }], { kind: 'live' });
    const other = await importRows(database.pool, [{ content_id: 'k2', source: 'fixed' }], { kind: 'backfill' });
    expect(other).toMatchObject({
      ok: false,
      report: { rejected: [{ line: 1, code: 'kind_conflict', field: 'source' }] },
    });
    const same = await imported(database.pool, [{ content_id: 'k3', source: 'fixed' }]);
    expect(same.by).toMatchObject([{ source: 'fixed', kind: 'live' }]);
    expect(await item('k3')).toMatchObject({ status: 'pending' });
  });
});

describe('a new revision becomes current and inherits no approval', () => {
  const held: StatusState = { status: 'held', rank: 'moderator', action: null };
  const restricted: StatusState = { status: 'restricted', rank: 'owner', action: 'limit' };
  const removed: StatusState = { status: 'removed', rank: 'owner', action: null };
  const published: StatusState = { status: 'published', rank: 'moderator', action: null };

  test.each<[SourceKind, StatusState, object, boolean]>([
    ['backfill', published, { status: 'published', rank: 'policy', version: 1 }, false],
    ['live', published, { status: 'pending', rank: 'policy', version: 2 }, true],
    ['documents', published, { status: 'pending', rank: 'policy', version: 2 }, true],
    ['backfill', held, { status: 'held', rank: 'policy', version: 1 }, false],
    ['live', held, { status: 'held', rank: 'policy', version: 1 }, false],
    ['live', restricted, { status: 'restricted', rank: 'policy', action: 'limit', version: 1 }, false],
    ['live', removed, { status: 'removed', rank: 'owner', version: 1 }, false],
  ])('%s, %j', async (kind, before, after, withRecord) => {
    const id = `edit-${kind}-${before.status}`;
    const source = `edit-${kind}`;
    await imported(database.pool, [{ content_id: id, source }], { kind });
    await setStatus(database.pool, id, before);
    const report = await imported(database.pool, [{ content_id: id, source, revision: '2', text: 'new' }]);
    expect(report).toMatchObject({ added: 1, edited: 1, unpublished: withRecord ? 1 : 0 });
    expect(await item(id)).toMatchObject({ revision: '2', ...after });
    expect(await records(id)).toEqual(
      withRecord
        ? [
            {
              version: 2,
              revision: '2',
              prior_status: 'published',
              prior_rank: 'moderator',
              next_status: 'pending',
              next_rank: 'policy',
              actor: 'system',
              reason: 'new_revision',
              answers: null,
              decision_id: decisionId(id, '2', NO_POLICY),
            },
          ]
        : [],
    );
  });

  test('an unpublished edit tells whoever listens, once', async () => {
    await imported(database.pool, [{ content_id: 'told', source: 'told' }], { kind: 'live' });
    await setStatus(database.pool, 'told', published);
    const rows = [{ content_id: 'told', source: 'told', revision: '2', text: 'new' }];
    await imported(database.pool, rows);
    await imported(database.pool, rows);
    const { rows: events } = await database.pool.query(
      `SELECT kind, status_version, data->>'status' AS status FROM outbox_event WHERE content_id = 'told' AND status_version > 1`,
    );
    expect(events).toEqual([{ kind: 'content.held', status_version: 2, status: 'pending' }]);
  });

  test.each([
    ['new', []],
    ['known', [{ content_id: 'order-known', revision: '0' }]],
  ])(
    'of several revisions of %s content in one file the last new one is current, whatever they are called',
    async (kind, before) => {
      const content_id = `order-${kind}`;
      if (before.length > 0) await imported(database.pool, before);
      const known = before.map((row) => ({ ...row }));
      await imported(database.pool, [
        { content_id, revision: '9', text: 'a' },
        { content_id, revision: '10', text: 'b' },
        { content_id, revision: '2', text: 'c' },
        { content_id, revision: '9', text: 'a' },
        ...known,
      ]);
      expect(await item(content_id)).toMatchObject({ revision: '2' });
      const { rows } = await database.pool.query('SELECT revision FROM revision WHERE content_id = $1 ORDER BY seq', [
        content_id,
      ]);
      expect(rows.map((row) => row.revision)).toEqual([...known.map((row) => row.revision), '9', '10', '2']);
    },
  );

  test('a revision that is known already never becomes current again', async () => {
    await imported(database.pool, [{ content_id: 'back', text: 'a' }]);
    await imported(database.pool, [{ content_id: 'back', revision: '2', text: 'b' }]);
    const report = await imported(database.pool, [{ content_id: 'back', text: 'a' }]);
    expect(report).toMatchObject({ added: 0, edited: 0 });
    expect(await item('back')).toMatchObject({ revision: '2' });
  });

  test('edits beyond one batch are all unpublished', async () => {
    const ids = Array.from({ length: 1_005 }, (_, at) => ({ content_id: `many-${at}`, source: 'many' }));
    await imported(database.pool, ids, { kind: 'live' });
    for (const { content_id } of ids.slice(0, 1_003)) await setStatus(database.pool, content_id, published);
    const report = await imported(
      database.pool,
      ids.map((row) => ({ ...row, revision: '2', text: 'new' })),
    );
    expect(report).toMatchObject({ edited: 1_005, unpublished: 1_003 });
    const { rows } = await database.pool.query(
      `SELECT status, count(*) FROM content_item WHERE source = 'many' GROUP BY 1`,
    );
    expect(rows).toEqual([{ status: 'pending', count: 1_005 }]);
  });
});
