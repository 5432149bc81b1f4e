import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { reconcile } from './reconcile.db.ts';
import { round } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
let count = 0;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

/** A complete run: in sources a and b each two decisions and one exception, and one deduplicated decision in a. */
async function completeRun(): Promise<{ runId: string; name: (at: string) => string }> {
  const mark = `c${++count}`;
  const name = (at: string): string => `${mark}-${at}`;
  const source = (at: string): string => `${mark}-${at.slice(0, 1)}`;
  const known = [{ contentId: name('a-known'), source: source('a') }];
  const job = { policy: room.policy, classifier: room.classifier };
  await round(database.pool, { runId: await room.start(known), ...job });
  const rows = ['a-1', 'a-2', 'a-x', 'b-1', 'b-2', 'b-x'].map((at) => ({
    contentId: name(at),
    source: source(at),
    text: at.endsWith('x') ? 'fail=refused' : 'fine',
  }));
  const runId = await room.start([...known, ...rows]);
  await round(database.pool, { runId, ...job });
  return { runId, name };
}

/** Does what no role of production may do: past every trigger. */
async function tamper(statement: string, parameters: unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(statement, parameters);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const terms = (result: Awaited<ReturnType<typeof reconcile>>) =>
  result.differences.map((one) => `${one.source.split('-')[1]}:${one.term}`).sort();

test('a run that did its work closes, by source and content type', async () => {
  const { runId } = await completeRun();
  const result = await reconcile(database.pool, runId);
  expect(result).toMatchObject({ closes: true, pending: 0, differences: [] });
  expect(
    result.by.map(({ revisions, decisions, deduplicated, exceptions }) => [
      revisions,
      decisions,
      deduplicated,
      exceptions,
    ]),
  ).toEqual([
    [4, 3, 1, 1],
    [3, 2, 0, 1],
  ]);
});

test('a run that has not begun closes with everything pending', async () => {
  const runId = await room.start([{ contentId: 'untouched', source: 'untouched' }]);
  expect(await reconcile(database.pool, runId)).toMatchObject({ closes: true, pending: 1 });
});

describe('what turns it red', () => {
  test('a deleted decision', async () => {
    const { runId, name } = await completeRun();
    await tamper('DELETE FROM decision WHERE content_id = $1', [name('a-1')]);
    expect(terms(await reconcile(database.pool, runId))).toEqual(['a:decisions', 'a:total']);
  });

  test('a decision swapped with an exception of another source', async () => {
    const { runId, name } = await completeRun();
    await tamper(
      `UPDATE work_item SET source = CASE source WHEN $1 THEN $2 ELSE $1 END WHERE run_id = $3 AND content_id IN ($4, $5)`,
      [name('a'), name('b'), runId, name('a-1'), name('b-x')],
    );
    const found = terms(await reconcile(database.pool, runId));
    expect(found).toEqual(expect.arrayContaining(['a:misplaced', 'b:misplaced', 'a:total', 'b:total']));
  });

  test('two decisions swapped between two sources, though every count stays the same', async () => {
    const { runId, name } = await completeRun();
    await tamper(
      `UPDATE work_item SET source = CASE source WHEN $1 THEN $2 ELSE $1 END WHERE run_id = $3 AND content_id IN ($4, $5)`,
      [name('a'), name('b'), runId, name('a-1'), name('b-1')],
    );
    expect(terms(await reconcile(database.pool, runId))).toEqual(['a:misplaced', 'b:misplaced']);
  });

  test('a decision that belongs to another revision', async () => {
    const { runId, name } = await completeRun();
    await tamper("UPDATE decision SET revision = '9' WHERE content_id = $1", [name('b-2')]);
    expect(terms(await reconcile(database.pool, runId))).toEqual(['b:decisions', 'b:total']);
  });

  test('an item that vanished, and one that came from nowhere', async () => {
    const { runId, name } = await completeRun();
    await tamper('DELETE FROM work_item WHERE run_id = $1 AND content_id = $2', [runId, name('b-x')]);
    expect(terms(await reconcile(database.pool, runId))).toEqual(['b:total']);
    const other = await completeRun();
    await tamper('UPDATE work_item SET run_id = $1 WHERE content_id = $2', [runId, other.name('b-x')]);
    expect(terms(await reconcile(database.pool, other.runId))).toEqual(['b:total']);
    expect(terms(await reconcile(database.pool, runId))).toContain('b:misplaced');
  });

  test('a mark that says deduplicated where it is not, and one that is missing', async () => {
    const { runId, name } = await completeRun();
    await tamper('UPDATE work_item SET deduplicated = NOT deduplicated WHERE run_id = $1 AND content_id = $2', [
      runId,
      name('b-1'),
    ]);
    expect(terms(await reconcile(database.pool, runId))).toEqual(['b:deduplicated']);
  });

  test('a snapshot that lost a member after it was closed', async () => {
    const { runId, name } = await completeRun();
    await tamper('DELETE FROM snapshot_member WHERE content_id = $1', [name('a-2')]);
    expect(terms(await reconcile(database.pool, runId))).toEqual(['a:misplaced', 'a:revisions', 'a:total']);
  });
});
