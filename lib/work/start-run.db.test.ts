import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { decisionId } from '../kernel/keys.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { leaseBatch } from './lease.db.ts';
import { runSummary } from './run-summary.db.ts';
import { findRun } from './runs.db.ts';
import { type StartRun, startRun } from './start-run.db.ts';
import { seedPolicy, seedSnapshot } from './testing/corpus.db.ts';
import { round, WORKER_A } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
let newer: PolicyVersion;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
  newer = await seedPolicy(database.pool, { purpose: 'Another version.' });
});
afterAll(() => database.close());

const asked = (changes: Partial<StartRun>): StartRun => ({
  snapshot: 'plain',
  policyVersion: room.policy.policyVersion,
  mode: 'record',
  classifier: room.classifier,
  concurrency: 8,
  actor: 'cli',
  ...changes,
});

describe('admission', () => {
  test('the key that SQL computes is the key of the kernel, for any characters', async () => {
    const ids = ['a', 'ü', '日本', '\u{1f600}', "quote'\\x00", 'x'.repeat(512), 'a b', '%00', '\uff5e'];
    const runId = await room.start(
      ids.flatMap((contentId) => ['1', '01', 'r/ü'].map((revision) => ({ contentId, revision, source: 'ids' }))),
    );
    const items = await room.see.items(runId);
    expect(items).toHaveLength(ids.length * 3);
    for (const item of items) {
      expect(item.decision_id).toBe(decisionId(item.content_id, item.revision, room.policy.policyVersion));
    }
  });

  test('one item for each member, in bytewise order, with the source and type of its content', async () => {
    const runId = await room.start([
      { contentId: 'o-\u{1f600}', source: 'o2', contentType: 'post' },
      { contentId: 'o-\uff5e', source: 'o1' },
      { contentId: 'o-A', source: 'o1' },
    ]);
    expect(
      (await room.see.items(runId)).map((item) => [item.content_id, item.source, item.content_type, item.state]),
    ).toEqual([
      ['o-A', 'o1', 'comment', 'pending'],
      ['o-\uff5e', 'o1', 'comment', 'pending'],
      ['o-\u{1f600}', 'o2', 'post', 'pending'],
    ]);
  });

  test('a run with everything answered already is complete before any worker came', async () => {
    const rows = [{ contentId: 'again', source: 'again', text: 'spam=0.5' }];
    const first = await room.start(rows);
    await round(database.pool, { runId: first, policy: room.policy, classifier: room.classifier });
    const second = await room.start(rows);
    expect(await runSummary(database.pool, second)).toMatchObject({
      state: 'complete',
      revisions: 1,
      decisions: 1,
      deduplicated: 1,
      attempts: 0,
      by: [{ source: 'again', content_type: 'comment', review: 1 }],
    });
  });

  test('a run that waits for its time leases nothing before', async () => {
    await seedSnapshot(database.pool, 'later', [{ contentId: 'later' }]);
    const notBefore = new Date(Date.now() + 3_600_000);
    const started = await startRun(database.pool, asked({ snapshot: 'later', notBefore }));
    const runId = started.ok ? started.value.run.id : '';
    expect(await leaseBatch(database.pool, { runId, workerId: WORKER_A })).toEqual([]);
    await database.pool.query("UPDATE run SET not_before = now() - interval '1 second' WHERE id = $1", [runId]);
    expect(await leaseBatch(database.pool, { runId, workerId: WORKER_A })).toHaveLength(1);
  });
});

describe('refusals', () => {
  beforeAll(() => seedSnapshot(database.pool, 'plain', [{ contentId: 'plain', source: 'plain' }]));

  test.each<[string, Partial<StartRun>]>([
    ['unknown_snapshot', { snapshot: 'nobody knows' }],
    ['unknown_policy', { policyVersion: 'test@99' }],
    ['unknown_policy', { policyVersion: 'nonsense' }],
    ['mode_not_built', { mode: 'enforce' }],
    ['bad_name', { name: '' }],
    ['bad_name', { name: 'a\u0007b' }],
    ['bad_name', { name: '11111111-1111-4111-8111-111111111111' }],
    ['classifier_mismatch', { classifier: { name: 'x', adapter: 'builtin', models: ['another'] } }],
    ['classifier_mismatch', { classifier: { name: 'x', adapter: 'openai-chat', models: ['scripted-1'] } }],
  ])('%s leaves nothing behind', async (refusal, changes) => {
    const before = await database.pool.query('SELECT count(*) FROM run');
    expect(await startRun(database.pool, asked(changes))).toMatchObject({ ok: false, refusal });
    expect((await database.pool.query('SELECT count(*) FROM run')).rows).toEqual(before.rows);
  });

  test('the same name for the same thing is the same run; for something else it is taken', async () => {
    await seedSnapshot(database.pool, 'elsewhere', [{ contentId: 'elsewhere' }]);
    const first = await startRun(database.pool, asked({ name: 'mine' }));
    const again = await startRun(database.pool, asked({ name: 'mine' }));
    if (!first.ok || !again.ok) throw new Error('refused');
    expect(again.value).toMatchObject({ started: false, run: { id: first.value.run.id } });
    for (const changes of [
      { snapshot: 'elsewhere' },
      { mode: 'hold' as const },
      { policyVersion: newer.policyVersion },
    ]) {
      expect(await startRun(database.pool, asked({ name: 'mine', ...changes }))).toMatchObject({
        refusal: 'name_taken',
      });
    }
  });

  test('the same run with another ceiling or canary is refused, and kept as it is; without them it is the same', async () => {
    const name = 'with a ceiling';
    const first = await startRun(database.pool, asked({ name, ceilingUnits: 500 }));
    expect(await startRun(database.pool, asked({ name, ceilingUnits: 900 }))).toMatchObject({
      refusal: 'settings_differ',
    });
    expect(await startRun(database.pool, asked({ name, canary: 5 }))).toMatchObject({ refusal: 'settings_differ' });
    const again = await startRun(database.pool, asked({ name }));
    expect(again).toMatchObject({ ok: true, value: { started: false, run: { ceilingUnits: 500 } } });
    expect(first).toMatchObject({ ok: true, value: { started: true } });
  });

  test('the same words again are the same run, also where it is smaller than the canary that was asked for', async () => {
    const whole = asked({ name: 'all of it is canary', canary: 500 });
    expect(await startRun(database.pool, whole)).toMatchObject({ ok: true, value: { started: true } });
    expect(await startRun(database.pool, whole)).toMatchObject({ ok: true, value: { started: false } });
  });

  test('two that start under one name at once make one run', async () => {
    const both = await Promise.all([1, 2].map(() => startRun(database.pool, asked({ name: 'at once' }))));
    const ids = both.map((one) => (one.ok ? one.value.run.id : one.refusal));
    expect(new Set(ids).size).toBe(1);
    expect(both.filter((one) => one.ok && one.value.started)).toHaveLength(1);
    expect(await room.see.items(ids[0] ?? '')).toHaveLength(1);
  });

  test('without a name every run gets one of its own', async () => {
    const runs = [await startRun(database.pool, asked({})), await startRun(database.pool, asked({}))];
    expect(runs.map((one) => one.ok && one.value.run.name)).toEqual(['plain-test-1', 'plain-test-1-2']);
  });
});

describe('what governs', () => {
  const rows = ['g1', 'g2'].map((source) => ({ contentId: `${source}-item`, source }));

  test('hold mode makes the version govern where none does, audited; record mode needs none', async () => {
    await seedSnapshot(database.pool, 'governed', rows);
    const recorded = await startRun(database.pool, asked({ snapshot: 'governed' }));
    expect(recorded.ok && recorded.value.governingSet).toEqual([]);
    const held = await startRun(database.pool, asked({ snapshot: 'governed', mode: 'hold' }));
    expect(held.ok && [...held.value.governingSet].sort()).toEqual(['g1', 'g2']);
    const { rows: events } = await database.pool.query(
      "SELECT subject, data FROM audit_event WHERE kind = 'content.governing_set' AND subject LIKE 'source:g%' ORDER BY subject",
    );
    expect(events).toEqual(
      ['g1', 'g2'].map((source) => ({ subject: `source:${source}`, data: { policy_version: 'test@1' } })),
    );
  });

  test('a run of which another version governs one source is refused whole and sets nothing', async () => {
    await seedSnapshot(database.pool, 'mixed', [...rows, { contentId: 'g3-item', source: 'g3' }]);
    const refused = await startRun(
      database.pool,
      asked({ snapshot: 'mixed', mode: 'hold', policyVersion: newer.policyVersion }),
    );
    expect(refused).toMatchObject({ ok: false, refusal: 'not_governing', detail: { sources: 2, of: 3 } });
    const { rows: set } = await database.pool.query("SELECT * FROM governing WHERE source = 'g3'");
    expect(set).toEqual([]);
    const recorded = await startRun(database.pool, asked({ snapshot: 'mixed', policyVersion: newer.policyVersion }));
    expect(recorded.ok).toBe(true);
  });

  test('two versions that start to govern one source at once: one wins, the other is refused', async () => {
    await seedSnapshot(database.pool, 'contested', [{ contentId: 'contested', source: 'contested' }]);
    const both = await Promise.all(
      [room.policy, newer].map((policy) =>
        startRun(database.pool, asked({ snapshot: 'contested', mode: 'hold', policyVersion: policy.policyVersion })),
      ),
    );
    expect(both.filter((one) => one.ok)).toHaveLength(1);
    expect(both.filter((one) => !one.ok && one.refusal === 'not_governing')).toHaveLength(1);
  });
});

test('a run is found by name and by id', async () => {
  const runId = await room.start([{ contentId: 'found' }], { name: 'to be found' });
  expect((await findRun(database.pool, 'to be found'))?.id).toBe(runId);
  expect((await findRun(database.pool, runId))?.name).toBe('to be found');
  expect(await findRun(database.pool, 'nobody')).toBeNull();
});
