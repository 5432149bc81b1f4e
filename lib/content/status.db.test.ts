import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { transact } from '../db/transact.db.ts';
import { decisionId } from '../kernel/keys.ts';
import { ok, refused } from '../kernel/result.ts';
import { changeStatuses, lockContent, personActedOn, type StatusChange } from './status.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.pool.query("INSERT INTO source (name, kind) VALUES ('s', 'live')");
});
afterAll(() => db.close());

let item: string;
let counter = 0;
beforeEach(async () => {
  item = `item-${++counter}`;
  await db.pool.query(
    "INSERT INTO content_item (content_id, content_type, source, current_revision, status) VALUES ($1, 'comment', 's', '1', 'pending')",
    [item],
  );
});

type Step = Pick<StatusChange, 'next' | 'actor' | 'event'>;
const HOLD: Step = {
  next: { status: 'held', rank: 'policy', action: null },
  actor: 'policy:forum@1',
  event: 'content.held',
};
const PUBLISH: Step = {
  next: { status: 'published', rank: 'reviewer', action: null },
  actor: 'user:u1',
  event: 'content.published',
};

const step = (change: Step) =>
  transact(db.pool, async (tx) => {
    const content = (await lockContent(tx, [item])).get(item);
    if (!content) return refused('unknown');
    const versions = await changeStatuses(tx, [
      { content, reason: 'test', answers: null, decisionId: decisionId(item, '1', 'forum@1'), ...change },
    ]);
    return ok(versions.get(item));
  });

test('each change of status writes the next version, its record and its event', async () => {
  expect(await step(HOLD)).toEqual({ ok: true, value: 1 });
  expect(await step(PUBLISH)).toEqual({ ok: true, value: 2 });
  const { rows: records } = await db.pool.query(
    'SELECT version, prior_status, next_status, next_rank, actor FROM rollback_record WHERE content_id = $1 ORDER BY version',
    [item],
  );
  expect(records).toEqual([
    { version: 1, prior_status: 'pending', next_status: 'held', next_rank: 'policy', actor: 'policy:forum@1' },
    { version: 2, prior_status: 'held', next_status: 'published', next_rank: 'reviewer', actor: 'user:u1' },
  ]);
  const { rows: events } = await db.pool.query(
    'SELECT id, kind FROM outbox_event WHERE content_id = $1 ORDER BY status_version',
    [item],
  );
  const key = decisionId(item, '1', 'forum@1');
  expect(events).toEqual([
    { id: `${key}:1`, kind: 'content.held' },
    { id: `${key}:2`, kind: 'content.published' },
  ]);
});

test('a policy cannot lift what is held, whoever calls for it', async () => {
  await step(HOLD);
  const lift: Step = {
    ...PUBLISH,
    actor: 'policy:forum@1',
    next: { status: 'published', rank: 'policy', action: null },
  };
  await expect(step(lift)).rejects.toThrow('a policy only tightens');
  expect(await step(PUBLISH)).toEqual({ ok: true, value: 2 });
});

test('a person has acted only once their record is there, and only on that revision', async () => {
  const asked = [{ contentId: item, revision: '1' }];
  await step(HOLD);
  expect(await personActedOn(db.pool, asked)).toEqual(new Set());
  await step(PUBLISH);
  expect(await personActedOn(db.pool, asked)).toEqual(new Set([item]));
  expect(await personActedOn(db.pool, [{ contentId: item, revision: '2' }])).toEqual(new Set());
});

test('two acts on one item follow each other: the second sees what the first wrote', async () => {
  const outcomes = await Promise.all([PUBLISH, PUBLISH, PUBLISH, PUBLISH].map(step));
  expect(outcomes.map((outcome) => outcome.ok && outcome.value).sort()).toEqual([1, 2, 3, 4]);
});

test('a change that was not read under the lock is a bug: it throws and leaves nothing', async () => {
  const stale = transact(db.pool, async (tx) => {
    const content = (await lockContent(tx, [item])).get(item);
    if (!content) return refused('unknown');
    await changeStatuses(tx, [
      {
        content: { ...content, version: 5 },
        reason: 'test',
        answers: null,
        decisionId: decisionId(item, '1', 'x@1'),
        ...HOLD,
      },
    ]);
    return ok(null);
  });
  await expect(stale).rejects.toThrow('moved under its lock');
  const { rows } = await db.pool.query('SELECT count(*)::int AS n FROM rollback_record WHERE content_id = $1', [item]);
  expect(rows).toEqual([{ n: 0 }]);
});
