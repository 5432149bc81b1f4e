import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/testing.db.ts';
import { importRows } from '../testing/content.ts';
import type { ImportResult } from './report.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ max: 20 });
  // A source that is new to two imports at once would make the second wait for all of the first.
  await importRows(
    database.pool,
    ['forum', 'over', 'x', 'y'].map((source) => ({ content_id: `first-${source}`, source })),
  );
});
afterAll(() => database.close());

/** Holds imports at the door of their merge until all of them stand there, and then lets them in at once. */
async function together(imports: readonly (readonly object[])[], options: object = {}): Promise<ImportResult[]> {
  const door = await database.pool.connect();
  try {
    await door.query('BEGIN');
    await door.query('LOCK TABLE source IN ACCESS EXCLUSIVE MODE');
    const running = Promise.all(imports.map((rows) => importRows(database.pool, rows, { skipBad: true, ...options })));
    for (let waiting = 0; waiting < imports.length; ) {
      const { rows } = await door.query<{ waiting: number }>(
        "SELECT count(*) AS waiting FROM pg_locks WHERE NOT granted AND relation = 'source'::regclass",
      );
      waiting = rows[0]?.waiting ?? 0;
    }
    await door.query('COMMIT');
    return await running;
  } finally {
    door.release();
  }
}

async function revisionsOf(prefix: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*) FROM revision WHERE starts_with(content_id, $1)',
    [prefix],
  );
  return rows[0]?.count ?? -1;
}

describe('imports at the same time', () => {
  test('of overlapping content, in opposite order: all is there once and nobody gives up', async () => {
    const ids = Array.from({ length: 4_000 }, (_, at) => `over-${at}`);
    const one = ids.slice(0, 3_000).map((content_id) => ({ content_id, source: 'over' }));
    const other = ids.slice(1_000).map((content_id) => ({ content_id, source: 'over' }));
    const results = await together([one, [...other].reverse(), [...one].reverse(), other]);
    expect(results.map((result) => result.ok)).toEqual([true, true, true, true]);
    expect(await revisionsOf('over-')).toBe(4_000);
    const added = results.reduce((sum, result) => sum + (result.ok ? result.value.added : 0), 0);
    expect(added).toBe(4_000);
    const { rows } = await database.pool.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });

  test('of the same set: one snapshot, and one of them says that it added everything', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ content_id: `same-${at}`, gold: { spam: at % 2 } }));
    const results = await together([rows, rows, rows]);
    const values = results.flatMap((result) => (result.ok ? [result.value] : []));
    expect(new Set(values.map((value) => value.snapshotId)).size).toBe(1);
    expect(values.map((value) => value.added).sort((a, b) => a - b)).toEqual([0, 0, 50]);
  });

  test.each<[string, object, object, string]>([
    ['text', { text: 'x' }, { text: 'y' }, 'revision_conflict'],
    ['type', { content_type: 'post' }, { content_type: 'comment' }, 'type_conflict'],
    ['source', { source: 'x' }, { source: 'y' }, 'source_conflict'],
  ])(
    'that contradict one another in the %s: one is taken, the other is refused by line',
    async (name, one, other, code) => {
      for (let round = 0; round < 5; round++) {
        const content_id = `clash-${name}-${round}`;
        const results = await together([[{ content_id, ...one }], [{ content_id, ...other }]]);
        const refused = results.flatMap((result) =>
          !result.ok && 'report' in result ? [result.report.rejected[0]?.code] : [],
        );
        expect(refused).toEqual([code]);
        expect(await revisionsOf(content_id)).toBe(1);
      }
    },
  );

  test('that bring one new revision of known content with other texts: one is taken, the other is refused by line', async () => {
    for (let round = 0; round < 5; round++) {
      const content_id = `known-${round}`;
      await importRows(database.pool, [{ content_id }]);
      const results = await together([
        [{ content_id, revision: '2', text: 'x' }],
        [{ content_id, revision: '2', text: 'y' }],
      ]);
      const refused = results.flatMap((result) =>
        !result.ok && 'report' in result ? [result.report.rejected[0]?.code] : [],
      );
      expect(refused).toEqual(['revision_conflict']);
    }
  });

  test('that contradict one another in gold on a known revision: one is taken, the other is refused by line', async () => {
    for (let round = 0; round < 5; round++) {
      const content_id = `gold-${round}`;
      await importRows(database.pool, [{ content_id }]);
      const results = await together([[{ content_id, gold: 'allow' }], [{ content_id, gold: 'restrict' }]]);
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      const { rows } = await database.pool.query('SELECT count(*) FROM gold_label WHERE content_id = $1', [content_id]);
      expect(rows).toEqual([{ count: 1 }]);
    }
  });

  test('of two revisions of one item: the one that arrived later is current', async () => {
    await importRows(database.pool, [{ content_id: 'late' }]);
    await together([
      [{ content_id: 'late', revision: 'b', text: 'b' }],
      [{ content_id: 'late', revision: 'a', text: 'a' }],
    ]);
    const { rows } = await database.pool.query(
      `SELECT current_revision = (SELECT revision FROM revision r WHERE r.content_id = c.content_id ORDER BY seq DESC LIMIT 1) AS newest
       FROM content_item c WHERE content_id = 'late'`,
    );
    expect(rows).toEqual([{ newest: true }]);
  });

  test('under one name with other members: one gets it, the other commits nothing', async () => {
    const results = await together([[{ content_id: 'n1' }], [{ content_id: 'n2' }]], { snapshotName: 'contested' });
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.refusal === 'snapshot_name_taken')).toHaveLength(1);
    expect(await revisionsOf('n')).toBe(1);
  });
});
