import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerWith, scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { startAttempts } from './attempts.db.ts';
import { commitFlush } from './commit.db.ts';
import { leaseBatch } from './lease.db.ts';
import { runSummary } from './run-summary.db.ts';
import { findRun } from './runs.db.ts';
import { startRun } from './start-run.db.ts';
import { personActs, type SeedRow, seedPolicy, seedSnapshot, views } from './testing/corpus.db.ts';
import { callAll, round, WORKER_A } from './testing/drive.db.ts';

let database: TestDatabase;
let policy: PolicyVersion;
let other: PolicyVersion;
let count = 0;
const classifier = scriptedClassifier();

beforeAll(async () => {
  database = await testDatabase();
  policy = await seedPolicy(database.pool);
  other = await seedPolicy(database.pool, { policy: 'second' });
});
afterAll(() => database.close());

async function start(
  rows: readonly SeedRow[],
  { mode = 'hold', under = policy }: { mode?: 'record' | 'hold'; under?: PolicyVersion } = {},
): Promise<string> {
  const snapshot = `s${++count}`;
  await seedSnapshot(database.pool, snapshot, rows);
  const started = await startRun(database.pool, {
    snapshot,
    policyVersion: under.policyVersion,
    mode,
    classifier,
    concurrency: 8,
    actor: 'cli',
  });
  if (!started.ok) throw new Error(started.refusal);
  return started.value.run.id;
}

async function outcomeOf(contentId: string) {
  const { pool } = database;
  const mine = (row: { content_id: string }): boolean => row.content_id === contentId;
  const see = views(pool);
  const [content] = (await see.content()).filter(mine);
  return {
    status: content?.status,
    cases: (await see.cases()).filter(mine).map((row) => row.reason_code),
    actions: (await see.actions()).filter(mine).map((row) => row.action),
  };
}

describe('the table of effects, in the database', () => {
  const texts = { allow: 'fine', review: 'spam=0.5', restrict: 'spam=0.9', exception: 'fail=refused' } as const;
  const kinds = { published: 'backfill', pending: 'live' } as const;
  test.each([
    ['record', 'published', 'allow', 'published', 'none', [], []],
    ['record', 'published', 'review', 'published', 'none', ['review'], []],
    ['record', 'published', 'restrict', 'published', 'none', ['restrict'], []],
    ['record', 'published', 'exception', 'published', null, ['refused'], []],
    ['record', 'pending', 'review', 'pending', 'none', ['review'], []],
    ['hold', 'published', 'allow', 'published', 'none', [], []],
    ['hold', 'published', 'review', 'published', 'applied', ['review'], []],
    ['hold', 'published', 'restrict', 'published', 'applied', [], ['hide']],
    ['hold', 'published', 'exception', 'published', null, ['refused'], []],
    ['hold', 'pending', 'allow', 'held', 'applied', ['allow_on_held'], []],
    ['hold', 'pending', 'review', 'held', 'applied', ['review'], []],
    ['hold', 'pending', 'restrict', 'held', 'applied', [], ['hide']],
    ['hold', 'pending', 'exception', 'held', null, ['refused'], []],
  ] as const)('%s, item %s, %s: %s, effect %s', async (mode, status, finding, after, effect, cases, actions) => {
    const contentId = `${mode}-${status}-${finding}`;
    const source = `${mode}-${status}`;
    const runId = await start([{ contentId, source, sourceKind: kinds[status], text: texts[finding] }], { mode });
    await round(database.pool, { runId, policy, classifier });
    const [item] = await views(database.pool).items(runId);
    expect(item?.effect).toBe(effect);
    expect(await outcomeOf(contentId)).toEqual({ status: after, cases: [...cases], actions: [...actions] });
  });

  test('a case carries the strongest label with its score', async () => {
    const runId = await start([{ contentId: 'strong', text: 'spam=0.5 hate=0.6 threat=0.3' }]);
    await round(database.pool, { runId, policy, classifier });
    const found = (await views(database.pool).cases()).find((row) => row.content_id === 'strong');
    expect(found).toMatchObject({ label: 'hate', score: 0.6, mode: 'hold', kind: 'decision' });
  });
});

describe('what came in between', () => {
  test('a decision on an older revision is superseded: counted, without effect', async () => {
    const runId = await start([{ contentId: 'edited', text: 'spam=0.9' }]);
    await seedSnapshot(database.pool, 'edited-2', [{ contentId: 'edited', revision: '2', text: 'fine' }]);
    await round(database.pool, { runId, policy, classifier });
    expect((await views(database.pool).items(runId))[0]).toMatchObject({ state: 'classified', effect: 'superseded' });
    expect(await outcomeOf('edited')).toEqual({ status: 'published', cases: [], actions: [] });
  });

  test('a decision after a person acted on this revision is late, under a second governing slug, too', async () => {
    const rows = [{ contentId: 'judged', text: 'spam=0.9' }];
    const runId = await start(rows);
    await personActs(database.pool, 'judged');
    await round(database.pool, { runId, policy, classifier });
    const second = await start(rows, { under: other });
    await round(database.pool, { runId: second, policy: other, classifier });
    for (const id of [runId, second]) {
      expect((await views(database.pool).items(id))[0]).toMatchObject({ state: 'classified', effect: 'late' });
    }
    expect(await outcomeOf('judged')).toEqual({ status: 'published', cases: [], actions: [] });
  });

  test('a person who acted on an older revision makes nothing late on the new one', async () => {
    await seedSnapshot(database.pool, 'old', [{ contentId: 'again' }]);
    await personActs(database.pool, 'again');
    const runId = await start([{ contentId: 'again', revision: '2', text: 'spam=0.9' }]);
    await round(database.pool, { runId, policy, classifier });
    expect((await views(database.pool).items(runId))[0]?.effect).toBe('applied');
  });

  test('two revisions of one item in one flush: only the current one has effects', async () => {
    const runId = await start([
      { contentId: 'both', revision: '1', text: 'spam=0.9' },
      { contentId: 'both', revision: '2', text: 'spam=0.5' },
    ]);
    await round(database.pool, { runId, policy, classifier });
    expect((await views(database.pool).items(runId)).map((item) => item.effect)).toEqual(['superseded', 'applied']);
    expect(await outcomeOf('both')).toEqual({ status: 'published', cases: ['review'], actions: [] });
  });

  test('record mode where another version governs: recorded only', async () => {
    const rows = [{ contentId: 'ruled', source: 'ruled', text: 'spam=0.9' }];
    await start(rows);
    const newer = await seedPolicy(database.pool, { purpose: 'A newer one.' });
    const runId = await start(rows, { mode: 'record', under: newer });
    await round(database.pool, { runId, policy: newer, classifier });
    expect((await views(database.pool).items(runId))[0]?.effect).toBe('not_governing');
    expect(await outcomeOf('ruled')).toEqual({ status: 'published', cases: [], actions: [] });
  });

  test('a new revision of a held item opens a case even for an allow', async () => {
    const live = { contentId: 'rewritten', source: 'live', sourceKind: 'live' } as const;
    const first = await start([{ ...live, text: 'spam=0.5' }]);
    await round(database.pool, { runId: first, policy, classifier });
    const second = await start([{ ...live, revision: '2', text: 'fine' }]);
    await round(database.pool, { runId: second, policy, classifier });
    expect(await outcomeOf('rewritten')).toEqual({ status: 'held', cases: ['review', 'allow_on_held'], actions: [] });
  });

  test('a restrict while an action is active opens a case instead of a second proposal', async () => {
    const rows = [{ contentId: 'twice', text: 'spam=0.9' }];
    await round(database.pool, { runId: await start(rows), policy, classifier });
    await round(database.pool, { runId: await start(rows, { under: other }), policy: other, classifier });
    expect(await outcomeOf('twice')).toEqual({ status: 'published', cases: ['restrict'], actions: ['hide'] });
  });

  test('an item whose content was removed ends as withdrawn, with no decision and no case', async () => {
    const runId = await start([{ contentId: 'gone', text: 'spam=0.9' }]);
    await database.pool
      .query("UPDATE content_item SET status = 'removed', status_version = 1 WHERE content_id = 'gone'")
      .then(
        () => expect.unreachable('a removal needs its record'),
        () => {},
      );
    await remove('gone');
    await round(database.pool, { runId, policy, classifier });
    const [item] = await views(database.pool).items(runId);
    expect(item).toMatchObject({ state: 'failed_review', failure_code: 'withdrawn', effect: null });
    expect((await views(database.pool).lineage(runId))[0]).toMatchObject({ outcome: 'withdrawn', spends: false });
    expect((await runSummary(database.pool, runId))?.decisions).toBe(0);
    expect(await outcomeOf('gone')).toEqual({ status: 'removed', cases: [], actions: [] });
  });
});

async function remove(contentId: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO rollback_record (content_id, version, revision, prior_status, prior_rank, next_status, next_rank, actor,
         reason, decision_id)
       SELECT content_id, status_version + 1, current_revision, status, status_rank, 'removed', 'owner', 'system', 'deleted',
         repeat('0', 64) FROM content_item WHERE content_id = $1`,
      [contentId],
    );
    await client.query(
      `UPDATE content_item SET status = 'removed', status_rank = 'owner', status_version = status_version + 1
       WHERE content_id = $1`,
      [contentId],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

describe('one key, one decision', () => {
  test('the same answer in a second run is deduplicated at admission, without a call', async () => {
    const rows = [{ contentId: 'known', text: 'spam=0.5' }];
    await round(database.pool, { runId: await start(rows), policy, classifier });
    const calls = classifier.calls.length;
    const again = await start(rows);
    expect(await round(database.pool, { runId: again, policy, classifier })).toBeNull();
    expect(classifier.calls.length).toBe(calls);
    expect((await views(database.pool).items(again))[0]).toMatchObject({
      state: 'classified',
      deduplicated: true,
      effect: 'none',
      attempt_count: 0,
    });
    expect((await findRun(database.pool, again))?.state).toBe('complete');
    expect(await outcomeOf('known')).toEqual({ status: 'published', cases: ['review'], actions: [] });
  });

  test('a decision that was only recorded gets its effect in a hold run: its open case decides from then on', async () => {
    const live = { source: 'upgraded', sourceKind: 'live' } as const;
    const rows = [
      { ...live, contentId: 'upgraded', text: 'spam=0.9' },
      { ...live, contentId: 'upgraded-allow', text: 'fine' },
    ];
    await round(database.pool, { runId: await start(rows, { mode: 'record' }), policy, classifier });
    const hold = await start(rows);
    const [restrict, allow] = await views(database.pool).items(hold);
    expect(restrict).toMatchObject({ deduplicated: true, effect: 'applied' });
    expect(allow).toMatchObject({ deduplicated: true, effect: 'applied' });
    expect(await outcomeOf('upgraded')).toEqual({ status: 'held', cases: ['restrict'], actions: [] });
    expect(await outcomeOf('upgraded-allow')).toEqual({ status: 'held', cases: ['allow_on_held'], actions: [] });
    const modes = (await views(database.pool).cases()).filter((row) => row.content_id.startsWith('upgraded'));
    expect(modes.map((row) => row.mode)).toEqual(['hold', 'hold']);
  });

  test('another answer to the same key is kept as evidence and counted; the standing decision stays', async () => {
    const rows = [{ contentId: 'differs', text: 'fine' }];
    const first = await start(rows, { mode: 'record' });
    const second = await start(rows, { mode: 'record' });
    await round(database.pool, { runId: first, policy, classifier });
    const otherwise = scriptedClassifier({ answer: (call) => answerWith(call, { spam: 0.95 }) });
    await round(database.pool, { runId: second, policy, classifier: otherwise });
    expect((await views(database.pool).items(second))[0]).toMatchObject({ deduplicated: true, effect: 'none' });
    expect(await runSummary(database.pool, second)).toMatchObject({ answer_differs: 1, deduplicated: 1 });
    expect(await outcomeOf('differs')).toEqual({ status: 'published', cases: [], actions: [] });
    const { rows: evidence } = await database.pool.query(
      'SELECT e.raw FROM evidence e JOIN work_item w ON w.id = e.work_item_id WHERE w.run_id = $1',
      [second],
    );
    expect(evidence[0].raw).toContain('0.95');
  });

  test('of one flush, what is new becomes a decision and what another run has answered meanwhile is deduplicated', async () => {
    const rows = [{ contentId: 'meanwhile' }, { contentId: 'new' }];
    const both = await start(rows, { mode: 'record' });
    const items = await leaseBatch(database.pool, { runId: both, workerId: WORKER_A });
    const { attempts } = await startAttempts(database.pool, { runId: both, items });
    const results = await callAll(database.pool, { runId: both, policy, classifier }, items, attempts);
    await round(database.pool, { runId: await start(rows.slice(0, 1), { mode: 'record' }), policy, classifier });
    const report = await commitFlush(database.pool, { runId: both, policy, slot: 1, results });
    expect(report).toMatchObject({ decisions: 2, deduplicated: 1, answerDiffers: 0 });
    expect(await views(database.pool).items(both)).toMatchObject([
      { content_id: 'meanwhile', state: 'classified', deduplicated: true },
      { content_id: 'new', state: 'classified', deduplicated: false },
    ]);
  });

  test('the same key with other hashes ends this item and leaves the standing decision alone', async () => {
    const rows = [{ contentId: 'other-hash', text: 'fine' }];
    const first = await start(rows, { mode: 'record' });
    await round(database.pool, { runId: first, policy, classifier });
    await database.pool.query(
      "SET session_replication_role = replica; UPDATE revision SET input_sha256 = repeat('0', 64) WHERE content_id = 'other-hash'; SET session_replication_role = origin",
    );
    const second = await start(rows, { mode: 'record' });
    expect((await views(database.pool).items(second))[0]).toMatchObject({
      state: 'failed_review',
      failure_code: 'conflicting_identity',
    });
    expect((await views(database.pool).items(first))[0]).toMatchObject({ state: 'classified' });
    expect((await outcomeOf('other-hash')).cases).toEqual(['conflicting_identity']);
  });
});

test('one flush writes one audit event, with the number and the hash of its decisions', async () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ contentId: `audit-${name}` }));
  const runId = await start(rows);
  await round(database.pool, { runId, policy, classifier });
  const { rows: events } = await database.pool.query(
    "SELECT data FROM audit_event WHERE kind = 'work.flushed' AND subject = $1",
    [`run:${runId}`],
  );
  expect(events).toHaveLength(1);
  expect(events[0].data).toMatchObject({ decisions: 3, deduplicated: 0, exceptions: 0 });
  const { rows: recomputed } = await database.pool.query(
    `SELECT encode(sha256(convert_to(string_agg(decision_id || E'\\n', '' ORDER BY decision_id COLLATE "C"), 'UTF8')), 'hex') AS hash
     FROM work_item WHERE run_id = $1`,
    [runId],
  );
  expect(events[0].data.decision_ids_sha256).toBe(recomputed[0].hash);
});
