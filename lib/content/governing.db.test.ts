import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import { governWhereNone, lockGoverning, setGoverning } from './governing.db.ts';
import { readInputs } from './revisions.db.ts';
import { imported } from './testing/content.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await imported(database.pool, [
    { content_id: 'a', source: 'one', text: ' exact\n', title: 't', author_name: 'n' },
    { content_id: 'a', source: 'one', revision: '2', parent_text: 'p' },
    { content_id: 'b', source: 'two' },
  ]);
  // What governs must be a published version; nothing of its document is looked at here.
  for (const version of ['forum@1', 'forum@2', 'spam@1']) {
    const [slug, n] = version.split('@');
    await database.pool.query(
      `INSERT INTO policy_version (policy_version, slug, n, policy_sha256, prompt_sha256, contract, contract_version, adapter, model, title, document, published_by)
       VALUES ($1, $2, $3, $1, '', 'scores', 'scores/1', 'builtin', '', '', '{}', 'cli')`,
      [version, slug, n],
    );
  }
});
afterAll(() => database.close());

async function inTx<T>(step: (tx: Tx) => Promise<T>): Promise<T> {
  const result = await transact<T, never>(database.pool, async (tx) => ok(await step(tx)));
  if (!result.ok) throw new Error('refused');
  return result.value;
}

describe('what governs a source', () => {
  test('is set where nothing governs, kept where something does, and one version for each slug', async () => {
    const one = { sources: ['one'], policyVersion: 'forum@1', actor: 'cli' } as const;
    expect(await inTx((tx) => governWhereNone(tx, one))).toEqual({
      set: ['one'],
      inForce: new Map([['one', 'forum@1']]),
    });
    const both = { sources: ['two', 'one', 'two'], policyVersion: 'forum@2', actor: 'cli' } as const;
    expect(await inTx((tx) => governWhereNone(tx, both))).toEqual({
      set: ['two'],
      inForce: new Map([
        ['one', 'forum@1'],
        ['two', 'forum@2'],
      ]),
    });
    expect(await inTx((tx) => lockGoverning(tx, ['one', 'two'], 'spam'))).toEqual(new Map());
    expect(await inTx((tx) => lockGoverning(tx, [], 'forum'))).toEqual(new Map());
  });

  test('is changed by whoever may, and counted only where it changes', async () => {
    const governing = { sources: ['one', 'two'], policyVersion: 'forum@2', actor: 'user:x' } as const;
    expect(await inTx((tx) => setGoverning(tx, governing))).toEqual(['one']);
    expect(await inTx((tx) => setGoverning(tx, governing))).toEqual([]);
    const { rows } = await database.pool.query(
      'SELECT source, policy_version, version, set_by FROM governing ORDER BY source',
    );
    expect(rows).toEqual([
      { source: 'one', policy_version: 'forum@2', version: 2, set_by: 'user:x' },
      { source: 'two', policy_version: 'forum@2', version: 1, set_by: 'cli' },
    ]);
  });

  test('two that set it at once agree: the second waits and takes the choice of the first', async () => {
    const choose = (policyVersion: string) =>
      inTx((tx) => governWhereNone(tx, { sources: ['one', 'two'], policyVersion, actor: 'cli' }));
    await database.pool.query("DELETE FROM governing WHERE policy_slug = 'forum'");
    const [first, second] = await Promise.all([choose('forum@1'), choose('forum@2')]);
    expect(first.inForce).toEqual(second.inForce);
    expect([...first.set, ...second.set].sort()).toEqual(['one', 'two']);
  });

  test('does not change under a transaction that has read it', async () => {
    await inTx((tx) => setGoverning(tx, { sources: ['one'], policyVersion: 'spam@1', actor: 'cli' }));
    const change = await inTx(async (tx) => {
      await lockGoverning(tx, ['one'], 'spam');
      const other = database.pool.query("SET lock_timeout = '50ms'; UPDATE governing SET version = version + 1");
      return other.then(
        () => 'changed',
        (error) => error.code,
      );
    });
    expect(change).toBe('55P03');
  });
});

test('the input of a revision is read as it was imported', async () => {
  const asked = [
    { contentId: 'a', revision: '1' },
    { contentId: 'a', revision: '2' },
    { contentId: 'b', revision: '9' },
  ];
  const inputs = await readInputs(database.pool, asked);
  expect([...inputs].sort((a, b) => a.revision.localeCompare(b.revision))).toMatchObject([
    { contentId: 'a', revision: '1', text: ' exact\n', title: 't', authorName: 'n', parentText: null },
    { contentId: 'a', revision: '2', text: 'hello', title: null, authorName: null, parentText: 'p' },
  ]);
  expect(await readInputs(database.pool, [])).toEqual([]);
});
