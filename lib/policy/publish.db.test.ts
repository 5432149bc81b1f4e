import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { publishPolicy, publishShipped } from './publish.db.ts';
import { testPolicy } from './testing.ts';
import { findPolicy, listPolicies } from './versions.db.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const publish = (document: object, text = JSON.stringify(document)) =>
  publishPolicy(database.pool, { text, actor: 'cli' });

async function publishedAs(document: object): Promise<string> {
  const result = await publish(document);
  if (!result.ok) throw new Error(result.refusal);
  return result.value.policyVersion;
}

async function count(table: 'policy_version' | 'audit_event', where: string): Promise<number> {
  const { rows } = await database.pool.query(`SELECT count(*) FROM ${table} WHERE ${where}`);
  return rows[0].count;
}

test('each new document of a slug gets the next number, and the same document keeps the number it has', async () => {
  const first = testPolicy({ policy: 'count' });
  const second = testPolicy({ policy: 'count', title: 'Another title' });
  expect(await publish(first)).toEqual({ ok: true, value: { policyVersion: 'count@1', published: true } });
  expect(await publish(second)).toEqual({ ok: true, value: { policyVersion: 'count@2', published: true } });
  expect(await publish(first, JSON.stringify(first, null, 4))).toEqual({
    ok: true,
    value: { policyVersion: 'count@1', published: false },
  });
  expect(await publishedAs(testPolicy({ policy: 'other' }))).toBe('other@1');
});

test('publishing is audited once, by the one who published', async () => {
  await publishedAs(testPolicy({ policy: 'audited' }));
  await publishedAs(testPolicy({ policy: 'audited' }));
  expect(
    await count('audit_event', "kind = 'policy.published' AND subject = 'policy:audited@1' AND actor = 'cli'"),
  ).toBe(1);
});

test('a refused document leaves nothing behind', async () => {
  const result = await publish(testPolicy({ policy: 'refused', rules: [] }));
  expect(result.ok ? result : [result.refusal, result.faults[0]?.path]).toEqual(['invalid_policy', 'rules']);
  expect(await count('policy_version', "slug = 'refused'")).toBe(0);
  expect(await count('audit_event', "subject LIKE 'policy:refused%'")).toBe(0);
});

test('many who publish at once get one number for each document and no gap', async () => {
  const titles = ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'];
  const given = await Promise.all(titles.map((title) => publishedAs(testPolicy({ policy: 'race', title }))));
  expect([...new Set(given)].sort()).toEqual(['race@1', 'race@2', 'race@3', 'race@4']);
  expect(given.slice(0, 4)).toEqual(given.slice(4));
});

test('a published version can be found with its document and hashes as they were published', async () => {
  const document = testPolicy({ policy: 'found', purpose: 'Zweck: „prüfen“ 🙂' });
  await publishedAs(document);
  const found = await findPolicy(database.pool, 'found@1');
  expect(found).toMatchObject({
    policyVersion: 'found@1',
    slug: 'found',
    n: 1,
    contract: 'scores',
    publishedBy: 'cli',
  });
  expect(found?.document).toEqual(document);
  const stored = await database.pool.query(
    "SELECT encode(sha256(convert_to(document, 'UTF8')), 'hex') AS sha256 FROM policy_version WHERE policy_version = 'found@1'",
  );
  expect(found?.policySha256).toBe(stored.rows[0].sha256);
  for (const unknown of ['found@2', 'found', 'found@01', '', 'none@0']) {
    expect(await findPolicy(database.pool, unknown)).toBeNull();
  }
});

test('a published version can neither be edited nor deleted', async () => {
  await publishedAs(testPolicy({ policy: 'fixed' }));
  const { pool } = database;
  await expect(pool.query("UPDATE policy_version SET title = 'x' WHERE slug = 'fixed'")).rejects.toThrow('insert-only');
  await expect(pool.query("DELETE FROM policy_version WHERE slug = 'fixed'")).rejects.toThrow('insert-only');
});

test('versions are listed by slug and number, the tenth after the ninth', async () => {
  for (let n = 1; n <= 10; n++) await publishedAs(testPolicy({ policy: 'listed', title: `Title ${n}` }));
  const listed = (await listPolicies(database.pool)).filter((policy) => policy.slug === 'listed');
  expect(listed.map((policy) => policy.policyVersion)).toEqual(
    Array.from({ length: 10 }, (_, at) => `listed@${at + 1}`),
  );
});

test('the shipped policies are published once, however often it is asked', async () => {
  const first = await publishShipped(database.pool);
  const again = await publishShipped(database.pool);
  expect(again.map((each) => each.policyVersion)).toEqual(first.map((each) => each.policyVersion));
  expect(again.every((each) => !each.published)).toBe(true);
});

test('a database that somebody runs for themselves gets the shipped policies only while it holds none', async () => {
  const own = await testDatabase();
  try {
    const first = await publishShipped(own.pool, { ours: false });
    expect(first.map((each) => each.policyVersion)).toContain('forum@1');
    expect(await publishShipped(own.pool, { ours: false })).toEqual([]);
  } finally {
    await own.close();
  }
});
