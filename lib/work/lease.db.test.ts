import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { startAttempts } from './attempts.db.ts';
import { commitFlush } from './commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from './item-end.ts';
import { leaseBatch, renewLeases } from './lease.db.ts';
import { ATTEMPTS_MAX } from './limits.ts';
import { findRun } from './runs.db.ts';
import { sweepLeases } from './sweep.db.ts';
import { expireLeases, makeDue } from './testing/corpus.db.ts';
import { callAll, round, WORKER_A, WORKER_B } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const some = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ contentId: `${name}-${at}` }));
const lease = (runId: string, workerId = WORKER_A, limit = 200) =>
  leaseBatch(database.pool, { runId, workerId, limit });
const start = async (runId: string, items: readonly HeldItem[]) =>
  (await startAttempts(database.pool, { runId, items })).attempts;
const commit = (runId: string, results: readonly ItemResult[]) =>
  commitFlush(database.pool, { runId, policy: room.policy, slot: 1, results });
const call = async (runId: string, items: readonly HeldItem[]) =>
  callAll(database.pool, { runId, policy: room.policy, classifier: room.classifier }, items, await start(runId, items));
const end = (item: HeldItem, attempt: number | null, how: ItemEnd): ItemResult => ({
  id: item.id,
  token: item.token,
  attempt,
  end: how,
});

describe('leasing', () => {
  test('the oldest first, under one token, and never an item that is in other hands', async () => {
    const runId = await room.start(some('oldest', 5));
    const first = await lease(runId, WORKER_A, 2);
    const second = await lease(runId, WORKER_B, 10);
    expect(first.map((item) => item.contentId)).toEqual(['oldest-0', 'oldest-1']);
    expect(second.map((item) => item.contentId)).toEqual(['oldest-2', 'oldest-3', 'oldest-4']);
    expect(new Set(first.map((item) => item.token)).size).toBe(1);
    expect(first[0]?.token).not.toBe(second[0]?.token);
    expect(await lease(runId)).toEqual([]);
  });

  test('twenty workers that lease at once never get one item twice, and get all', async () => {
    const runId = await room.start(some('crowd', 200));
    const batches = await Promise.all(Array.from({ length: 20 }, () => lease(runId, WORKER_A, 10)));
    const ids = batches.flat().map((item) => item.id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await lease(runId);
    expect(ids.length + rest.length).toBe(200);
  });

  test('an item that waits for its next attempt is passed over', async () => {
    const runId = await room.start([{ contentId: 'a-waits' }, { contentId: 'b-due' }]);
    const [waits] = await lease(runId, WORKER_A, 1);
    if (!waits) throw new Error('nothing leased');
    await commit(runId, [
      end(waits, null, { kind: 'failure', code: 'rate_limited', retryAfterMs: 60_000, pauses: false, call: null }),
    ]);
    expect((await lease(runId)).map((item) => item.contentId)).toEqual(['b-due']);
    expect((await room.see.items(runId))[0]).toMatchObject({ state: 'pending', waits: true, spent_count: 0 });
  });

  test('a paused run gives nothing and records no attempt; its leases stay valid', async () => {
    const runId = await room.start(some('paused', 2));
    const [item] = await lease(runId, WORKER_A, 1);
    if (!item) throw new Error('nothing leased');
    await database.pool.query("UPDATE run SET state = 'paused', pause_reason = 'operator' WHERE id = $1", [runId]);
    expect(await lease(runId)).toEqual([]);
    expect(await start(runId, [item])).toEqual(new Map());
    expect(await renewLeases(database.pool, [item])).toEqual(new Set([item.id]));
  });
});

describe('the fence', () => {
  test('a worker whose lease was taken over can start, renew, commit and give back nothing', async () => {
    const runId = await room.start([{ contentId: 'taken', text: 'spam=0.9' }]);
    const slow = await lease(runId, WORKER_A);
    const late = await call(runId, slow);
    await expireLeases(database.pool);
    await sweepLeases(database.pool, { slot: 1 });
    await makeDue(database.pool);
    const quick = await lease(runId, WORKER_B);
    expect(quick).toHaveLength(1);
    expect(await start(runId, slow)).toEqual(new Map());
    expect(await renewLeases(database.pool, slow)).toEqual(new Set());
    expect(await commit(runId, late)).toMatchObject({ settled: 0, lost: 1, decisions: 0 });
    expect(
      await commit(
        runId,
        slow.map((item) => end(item, null, { kind: 'released' })),
      ),
    ).toMatchObject({ lost: 1 });
    expect((await room.see.items(runId))[0]).toMatchObject({ state: 'leased', attempt_count: 1 });
    await commit(runId, await call(runId, quick));
    expect(await room.see.lineage(runId)).toMatchObject([
      { number: 1, outcome: 'lease_expired', spends: true },
      { number: 2, outcome: 'ok', spends: true },
    ]);
  });

  test('an expired lease may not begin a call, though nobody has swept it yet', async () => {
    const runId = await room.start(some('stale', 1));
    const items = await lease(runId);
    await expireLeases(database.pool);
    expect(await start(runId, items)).toEqual(new Map());
    expect(await renewLeases(database.pool, items)).toEqual(new Set());
  });

  test('an answer that comes after its lease ran out but before anybody took it counts', async () => {
    const runId = await room.start(some('just', 1));
    const results = await call(runId, await lease(runId));
    await expireLeases(database.pool);
    expect(await commit(runId, results)).toMatchObject({ settled: 1, decisions: 1 });
    await sweepLeases(database.pool, { slot: 1 });
    expect((await room.see.items(runId))[0]).toMatchObject({ state: 'classified', spent_count: 1 });
  });

  test('committing the same results twice is once', async () => {
    const runId = await room.start([{ contentId: 'once', text: 'spam=0.5' }]);
    const results = await call(runId, await lease(runId));
    expect(await commit(runId, results)).toMatchObject({ settled: 1, cases: 1 });
    expect(await commit(runId, results)).toMatchObject({ settled: 0, lost: 1, cases: 0 });
  });
});

describe('expiry and giving back', () => {
  test('an item that was never started spends nothing and is not called alone', async () => {
    const runId = await room.start(some('unstarted', 1));
    await lease(runId);
    await expireLeases(database.pool);
    expect(await sweepLeases(database.pool, { slot: 1 })).toBe(1);
    expect((await room.see.items(runId))[0]).toMatchObject({
      state: 'pending',
      spent_count: 0,
      attempt_count: 0,
      alone: false,
    });
    expect(await room.see.lineage(runId)).toEqual([]);
  });

  test('an item that takes its worker along is called alone from then on, and ends after its budget', async () => {
    const runId = await room.start(some('poison', 1));
    for (let died = 1; died <= ATTEMPTS_MAX; died++) {
      await makeDue(database.pool);
      const items = await lease(runId);
      expect(items[0]?.alone).toBe(died > 1);
      await start(runId, items);
      await expireLeases(database.pool);
      await sweepLeases(database.pool, { slot: 1 });
    }
    expect((await room.see.items(runId))[0]).toMatchObject({
      state: 'failed_review',
      failure_code: 'lease_expired',
      attempt_count: ATTEMPTS_MAX,
    });
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    expect((await room.see.cases()).filter((row) => row.content_id === 'poison-0')).toMatchObject([
      { kind: 'exception', reason_code: 'lease_expired' },
    ]);
  });

  test('what is given back at a shutdown spends nothing; a recorded start ends as released', async () => {
    const runId = await room.start(some('shutdown', 2));
    const [first, second] = await lease(runId);
    if (!first || !second) throw new Error('nothing leased');
    const attempts = await start(runId, [first]);
    await commit(runId, [
      end(first, attempts.get(first.id) ?? null, { kind: 'released' }),
      end(second, null, { kind: 'released' }),
    ]);
    expect(await room.see.lineage(runId)).toMatchObject([
      { id: first.id, number: 1, outcome: 'released', spends: false },
    ]);
    for (const item of await room.see.items(runId))
      expect(item).toMatchObject({ state: 'pending', spent_count: 0, alone: false, waits: null });
    expect(await round(database.pool, { runId, policy: room.policy, classifier: room.classifier })).toMatchObject({
      decisions: 2,
    });
  });

  test('who gives back without knowing whether a start was recorded leaves none open behind', async () => {
    const runId = await room.start(some('unsure', 1));
    const items = await lease(runId);
    await start(runId, items);
    await commit(
      runId,
      items.map((item) => end(item, null, { kind: 'released' })),
    );
    expect(await room.see.lineage(runId)).toMatchObject([{ number: 1, outcome: 'released' }]);
    expect(await round(database.pool, { runId, policy: room.policy, classifier: room.classifier })).toMatchObject({
      decisions: 1,
    });
  });
});

describe('numbers and call groups', () => {
  test('an invalid answer raises the call group, a lost connection does not, and numbers run on', async () => {
    const runId = await room.start([{ contentId: 'groups', text: 'x' }]);
    const [invalid, lost] = ['invalid_json', 'outcome_unknown'] as const;
    for (const code of [lost, invalid]) {
      await makeDue(database.pool);
      const [item] = await lease(runId);
      if (!item) throw new Error('nothing leased');
      const attempts = await start(runId, [item]);
      await commit(runId, [
        end(item, attempts.get(item.id) ?? null, {
          kind: 'failure',
          code,
          retryAfterMs: null,
          pauses: false,
          call: { latencyMs: 4, units: 2, raw: 'x\0y\ud800', weight: null },
        }),
      ]);
    }
    await makeDue(database.pool);
    await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
    expect(await room.see.lineage(runId)).toMatchObject([
      { number: 1, call_group: 0, outcome: 'outcome_unknown' },
      { number: 2, call_group: 0, outcome: 'invalid_json' },
      { number: 3, call_group: 1, outcome: 'ok' },
    ]);
    const { rows } = await database.pool.query(
      'SELECT raw FROM evidence e JOIN work_item w ON w.id = e.work_item_id WHERE w.run_id = $1 ORDER BY e.number',
      [runId],
    );
    expect(rows.slice(0, 2)).toEqual([{ raw: 'x\ufffdy\ufffd' }, { raw: 'x\ufffdy\ufffd' }]);
  });

  test('a pause gives the lease back unspent', async () => {
    const runId = await room.start([{ contentId: 'misconfigured', text: 'fail=config_error' }]);
    await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
    expect((await room.see.items(runId))[0]).toMatchObject({
      state: 'pending',
      spent_count: 0,
      attempt_count: 1,
      waits: null,
    });
    expect(await room.see.lineage(runId)).toMatchObject([{ outcome: 'config_error', spends: false }]);
  });
});
