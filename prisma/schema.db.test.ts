import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrisma } from '../lib/db/prisma.db.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const root = path.join(import.meta.dirname, '..');

test('schema.prisma says the same as the migrations', () => {
  const args = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'];
  const ran = spawnSync(process.execPath, ['scripts/prisma.mjs', ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: db.url },
    encoding: 'utf8',
  });
  // An engine that dies says nothing and the CLI exits 0, so the sentence itself is asked for.
  expect(ran.stdout).toContain('No difference detected');
  expect(ran.status).toBe(0);
});

test('Prisma can read every model', async () => {
  const prisma = openPrisma(db.url);
  const models = Object.entries(prisma).filter(
    (entry): entry is [string, { findFirst: () => Promise<unknown> }] =>
      !entry[0].startsWith('$') && !entry[0].startsWith('_') && typeof entry[1]?.findFirst === 'function',
  );
  expect(models.length).toBeGreaterThan(25);
  for (const [, model] of models) await model.findFirst();
  await prisma.$disconnect();
});

const INSERT_ONLY = [
  'audit_event',
  'outbox_event',
  'revision',
  'snapshot',
  'snapshot_name',
  'snapshot_member',
  'snapshot_total',
  'gold_label',
  'rollback_record',
  'policy_version',
  'case_event',
  'review',
  'attempt',
  'attempt_outcome',
  'decision',
];

test.each(INSERT_ONLY)('%s takes rows and gives none back: TRUNCATE is refused', async (table) => {
  await expect(db.pool.query(`TRUNCATE ${table} CASCADE`)).rejects.toMatchObject({ code: '23001' });
});

test('a written fact can be neither changed nor deleted', async () => {
  await db.pool.query("INSERT INTO audit_event (actor, kind) VALUES ('system', 'test')");
  await expect(db.pool.query("UPDATE audit_event SET kind = 'other'")).rejects.toMatchObject({ code: '23001' });
  await expect(db.pool.query('DELETE FROM audit_event')).rejects.toMatchObject({ code: '23001' });
});

test('a status cannot change without its rollback record, nor leave removed', async () => {
  await db.pool.query("INSERT INTO source (name, kind) VALUES ('s', 'live')");
  await db.pool.query(
    "INSERT INTO content_item (content_id, content_type, source, current_revision, status) VALUES ('a', 'post', 's', '1', 'pending'), ('b', 'post', 's', '1', 'removed')",
  );
  const publish = "UPDATE content_item SET status = 'published', status_version = 1 WHERE content_id = $1";
  await expect(db.pool.query(publish, ['a'])).rejects.toMatchObject({ code: '23001' });
  await db.pool.query(
    `INSERT INTO rollback_record (content_id, version, revision, prior_status, prior_rank, next_status, next_rank, actor, reason, decision_id)
     VALUES ('a', 1, '1', 'pending', 'policy', 'published', 'policy', 'system', 'test', repeat('0', 64))`,
  );
  await db.pool.query(publish, ['a']);
  await expect(db.pool.query(publish, ['b'])).rejects.toMatchObject({ code: '23001' });
});

test('a status changes only as its rollback record says, rank, action and what was before included', async () => {
  await db.pool.query(
    "INSERT INTO content_item (content_id, content_type, source, current_revision, status) VALUES ('c', 'post', 's', '1', 'published')",
  );
  await db.pool.query(
    `INSERT INTO rollback_record (content_id, version, revision, prior_status, prior_rank, next_status, next_rank, next_action, actor, reason, decision_id)
     VALUES ('c', 1, '1', 'published', 'policy', 'restricted', 'moderator', 'hide', 'user:u', 'test', repeat('0', 64)),
            ('c', 2, '1', 'held', 'policy', 'published', 'owner', NULL, 'user:u', 'test', repeat('0', 64))`,
  );
  const to = (status: string, rank: string, action: string | null, version: number) =>
    db.pool.query(
      "UPDATE content_item SET status = $1, status_rank = $2, status_action = $3, status_version = $4 WHERE content_id = 'c'",
      [status, rank, action, version],
    );
  const refusedAs = { code: '23001' };
  await expect(to('restricted', 'moderator', 'limit', 1)).rejects.toMatchObject(refusedAs);
  await expect(to('restricted', 'owner', 'hide', 1)).rejects.toMatchObject(refusedAs);
  await to('restricted', 'moderator', 'hide', 1);
  // The record of version 2 tells of a step from held: it is not this step.
  await expect(to('published', 'owner', null, 2)).rejects.toMatchObject(refusedAs);
});

test('a rank falls to policy with a new revision, and moves in no other way without a record', async () => {
  await db.pool.query(
    "INSERT INTO content_item (content_id, content_type, source, current_revision, status, status_rank) VALUES ('d', 'post', 's', '1', 'held', 'moderator')",
  );
  const rank = (next: string, revision: string) =>
    db.pool.query("UPDATE content_item SET status_rank = $1, current_revision = $2 WHERE content_id = 'd'", [
      next,
      revision,
    ]);
  await expect(rank('policy', '1')).rejects.toMatchObject({ code: '23001' });
  await expect(rank('owner', '2')).rejects.toMatchObject({ code: '23001' });
  await rank('policy', '2');
});
