import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Classifier } from '../classifier/answer.ts';
import { answerWith, scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { claimCase } from '../review/claim.db.ts';
import { settleSubmission } from '../review/settle.db.ts';
import { submitReview } from '../review/submit.db.ts';
import { addUser, makeDue as makeSubmissionDue, said } from '../review/testing/desk.db.ts';
import { BROKEN } from '../review/testing/invariants.sql.ts';
import { startAttempts } from './attempts.db.ts';
import { commitFlush } from './commit.db.ts';
import type { ItemResult } from './item-end.ts';
import { leaseBatch } from './lease.db.ts';
import { reconcile } from './reconcile.db.ts';
import { requeueRun } from './requeue.db.ts';
import { cancelRun } from './run-control.db.ts';
import { findRun } from './runs.db.ts';
import { sweepLeases } from './sweep.db.ts';
import { expireLeases, makeDue, seedPolicy } from './testing/corpus.db.ts';
import { callAll, round, WORKER_A, WORKER_B } from './testing/drive.db.ts';
import { meet, untilWaiting, whileHeld } from './testing/gate.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;
let second: PolicyVersion;
let reviewer: string;

beforeAll(async () => {
  database = await testDatabase({ max: 12, pipeline: true });
  room = await workroom(database.pool);
  second = await seedPolicy(database.pool, { policy: 'second' });
  reviewer = await addUser(database.pool, 'reviewer');
});
afterAll(() => database.close());

type Answers = { runId: string; results: ItemResult[]; policy: PolicyVersion };

/** Leases a run's items, records attempts and gets the answers, which are not committed. */
async function answers(
  runId: string,
  job: { policy?: PolicyVersion; classifier?: Classifier; workerId?: string } = {},
): Promise<Answers> {
  const { policy = room.policy, classifier = room.classifier, workerId = WORKER_A } = job;
  const items = await leaseBatch(database.pool, { runId, workerId });
  const { attempts } = await startAttempts(database.pool, { runId, items });
  return { runId, policy, results: await callAll(database.pool, { runId, policy, classifier }, items, attempts) };
}

const commit = ({ runId, results, policy }: Answers) => commitFlush(database.pool, { runId, policy, slot: 1, results });

/** A review of the item's open case, sent and due: settling it is the act that remains. */
async function dueReview(contentId: string, verdict: 'allow' | 'restrict'): Promise<() => Promise<unknown>> {
  const { rows } = await database.pool.query("SELECT id FROM review_case WHERE content_id = $1 AND state = 'open'", [
    contentId,
  ]);
  const caseId = rows[0].id;
  const claimed = await claimCase(database.pool, { caseId, userId: reviewer });
  if (!claimed.ok) throw new Error(claimed.refusal);
  const sent = { ...said({ verdict }), reasonCode: verdict === 'restrict' ? 'spam' : null };
  const submitted = await submitReview(database.pool, {
    caseId,
    token: claimed.value.token,
    userId: reviewer,
    ...sent,
  });
  if (!submitted.ok) throw new Error(submitted.refusal);
  await makeSubmissionDue(database.pool, submitted.value.submissionId);
  return () => settleSubmission(database.pool, submitted.value.submissionId);
}

/** The run closes, and no promise about content, cases and actions is broken. Held may wait for a requeued item, too. */
async function expectSound(runId: string): Promise<void> {
  expect((await reconcile(database.pool, runId)).differences).toEqual([]);
  const open = await database.pool.query("SELECT content_id FROM work_item WHERE state IN ('pending', 'leased')");
  const awaited = new Set(open.rows.map((row) => row.content_id));
  for (const [promise, broken] of Object.entries(BROKEN)) {
    const { rows } = await database.pool.query(broken);
    expect({ promise, rows: rows.filter((row) => !awaited.has(row.content_id)) }).toEqual({ promise, rows: [] });
  }
}

const live = (contentId: string, text: string) => [{ contentId, source: 'live', sourceKind: 'live' as const, text }];

describe('two workers and one item', () => {
  test('the same answer committed twice at once counts once', async () => {
    const late = await answers(await room.start([{ contentId: 'w1', text: 'spam=0.5' }], { mode: 'hold' }));
    const reports = await meet(database.pool, { contentIds: ['w1'] }, [() => commit(late), () => commit(late)]);
    expect(reports.map((report) => report.settled)).toEqual([1, 0]);
    await expectSound(late.runId);
  });

  test('two runs that answer one key at once make one decision and one case', async () => {
    const rows = [{ contentId: 'w2', text: 'spam=0.5' }];
    const runs = [await room.start(rows, { mode: 'hold' }), await room.start(rows, { mode: 'hold' })];
    const [one, two] = await Promise.all(runs.map((runId) => answers(runId)));
    if (!one || !two) throw new Error('no answers');
    const reports = await meet(database.pool, { contentIds: ['w2'] }, [() => commit(one), () => commit(two)]);
    expect(reports.map((report) => [report.decisions, report.deduplicated, report.cases])).toEqual([
      [1, 0, 1],
      [1, 1, 0],
    ]);
    for (const { runId } of [one, two]) await expectSound(runId);
  });

  test('two flushes that settle the last items of a run at once complete it', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const ids = [`last-${turn}-a`, `last-${turn}-b`];
      const runId = await room.start(ids.map((contentId) => ({ contentId })));
      const all = await answers(runId);
      const halves = all.results.map((result) => ({ ...all, results: [result] }));
      await meet(
        database.pool,
        { contentIds: ids },
        halves.map((half) => () => commit(half)),
      );
      expect((await findRun(database.pool, runId))?.state).toBe('complete');
    }
  });
});

describe('a lease that ran out and its answer', () => {
  test('the answer that is being committed is not taken away by a sweep', async () => {
    const late = await answers(await room.start([{ contentId: 'l1', text: 'spam=0.5' }]));
    await expireLeases(database.pool);
    let committing: ReturnType<typeof commit> | undefined;
    const swept = await whileHeld(database.pool, { contentIds: ['l1'] }, async () => {
      committing = commit(late);
      await untilWaiting(database.pool, 1);
      return sweepLeases(database.pool, { slot: 2 });
    });
    const report = await committing;
    expect(swept).toBe(0);
    expect(report).toMatchObject({ settled: 1, decisions: 1 });
    await expectSound(late.runId);
  });

  test('the answer that comes while a sweep takes the item back is dropped, and the next attempt decides', async () => {
    const late = await answers(await room.start([{ contentId: 'l2', text: 'spam=0.9' }]));
    await expireLeases(database.pool);
    const [swept, report] = await meet(database.pool, { contentIds: ['l2'] }, [
      () => sweepLeases(database.pool, { slot: 2 }),
      () => commit(late),
    ]);
    expect(swept).toBe(1);
    expect(report).toMatchObject({ settled: 0, lost: 1 });
    await makeDue(database.pool);
    const otherwise = scriptedClassifier({ answer: (call) => answerWith(call, { spam: 0.5 }) });
    await commit(await answers(late.runId, { classifier: otherwise, workerId: WORKER_B }));
    const { rows } = await database.pool.query("SELECT verdict FROM decision WHERE content_id = 'l2'");
    expect(rows).toEqual([{ verdict: 'review' }]);
    expect((await commit(late)).lost).toBe(1);
    await expectSound(late.runId);
  });
});

describe('a machine result and a person', () => {
  test('a second governing slug that decides after the person is late; before the person, the person answers both', async () => {
    for (const order of ['person first', 'machine first'] as const) {
      const contentId = `p1-${order}`;
      const rows = live(contentId, 'spam=0.5');
      await round(database.pool, {
        runId: await room.start(rows, { mode: 'hold' }),
        policy: room.policy,
        classifier: room.classifier,
      });
      const late = await answers(await room.start(rows, { mode: 'hold', policy: second }), { policy: second });
      const settle = await dueReview(contentId, 'allow');
      const acts = order === 'person first' ? [settle, () => commit(late)] : [() => commit(late), settle];
      await meet(database.pool, { contentIds: [contentId] }, acts);
      const [item] = await room.see.items(late.runId);
      expect(item?.effect).toBe(order === 'person first' ? 'late' : 'applied');
      const content = (await room.see.content()).find((row) => row.content_id === contentId);
      expect(content).toMatchObject({ status: 'published', status_rank: 'reviewer' });
      await expectSound(late.runId);
    }
  });
});

describe('a requeue and a review', () => {
  /** An exception with an open case, in a run that is complete. */
  async function failed(contentId: string): Promise<string> {
    const runId = await room.start(live(contentId, 'fail=refused'), { mode: 'hold' });
    await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    return runId;
  }
  const requeue = (runId: string) => requeueRun(database.pool, { runId, code: 'refused', actor: 'cli' });

  test('an item whose case is claimed, submitted or reviewed is not requeued', async () => {
    const runId = await failed('r1');
    const { rows } = await database.pool.query("SELECT id FROM review_case WHERE content_id = 'r1'");
    const claimed = await claimCase(database.pool, { caseId: rows[0].id, userId: reviewer });
    expect(await requeue(runId)).toMatchObject({ ok: true, value: { requeued: 0, inHands: 1, reviewed: 0 } });
    if (!claimed.ok) throw new Error(claimed.refusal);
    const submitted = await submitReview(database.pool, {
      caseId: rows[0].id,
      token: claimed.value.token,
      userId: reviewer,
      ...said({ verdict: 'allow' }),
    });
    expect(await requeue(runId)).toMatchObject({ value: { requeued: 0, inHands: 1 } });
    if (!submitted.ok) throw new Error(submitted.refusal);
    await makeSubmissionDue(database.pool, submitted.value.submissionId);
    await settleSubmission(database.pool, submitted.value.submissionId);
    expect(await requeue(runId)).toMatchObject({ value: { requeued: 0, inHands: 0, reviewed: 1 } });
    expect((await room.see.items(runId))[0]).toMatchObject({ state: 'failed_review', failure_code: 'refused' });
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    await expectSound(runId);
  });

  test('a requeued item gets fresh attempts whose numbers run on; its case closes; the run runs again', async () => {
    const runId = await failed('r2');
    expect(await requeue(runId)).toMatchObject({ value: { requeued: 1 } });
    expect((await findRun(database.pool, runId))?.state).toBe('running');
    expect((await room.see.items(runId))[0]).toMatchObject({
      state: 'pending',
      spent_count: 0,
      call_group: 1,
      attempt_count: 1,
    });
    const well = scriptedClassifier({ answer: (call) => answerWith(call, {}) });
    await round(database.pool, { runId, policy: room.policy, classifier: well });
    expect(await room.see.lineage(runId)).toMatchObject([
      { number: 1, call_group: 0, outcome: 'refused' },
      { number: 2, call_group: 1, outcome: 'ok' },
    ]);
    const cases = (await room.see.cases()).filter((row) => row.content_id === 'r2');
    expect(cases).toMatchObject([
      { reason_code: 'refused', closed_as: 'requeued' },
      { reason_code: 'allow_on_held', state: 'open' },
    ]);
    expect((await findRun(database.pool, runId))?.state).toBe('complete');
    await expectSound(runId);
  });

  test('a claim and a requeue that meet: one of them comes first, and no case is closed in anybody’s hands', async () => {
    for (const order of [0, 1]) {
      const contentId = `r3-${order}`;
      const runId = await failed(contentId);
      const { rows } = await database.pool.query('SELECT id FROM review_case WHERE content_id = $1', [contentId]);
      const someone = await addUser(database.pool, 'reviewer');
      const both = await Promise.all(
        order === 0
          ? [requeue(runId), claimCase(database.pool, { caseId: rows[0].id, userId: someone })]
          : [claimCase(database.pool, { caseId: rows[0].id, userId: someone }), requeue(runId)],
      );
      const [item] = await room.see.items(runId);
      const state = (await room.see.cases()).find((row) => row.content_id === contentId)?.state;
      expect([item?.state, state]).toEqual(state === 'claimed' ? ['failed_review', 'claimed'] : ['pending', 'closed']);
      expect(both).toHaveLength(2);
    }
  });

  test('in every order of a late answer, a review and a requeue the person’s decision stands', async () => {
    const orders = [
      ['review', 'late', 'requeue'],
      ['review', 'requeue', 'late'],
      ['late', 'review', 'requeue'],
      ['late', 'requeue', 'review'],
      ['requeue', 'late', 'review'],
      ['requeue', 'review', 'late'],
    ] as const;
    for (const [at, order] of orders.entries()) {
      const contentId = `c10-${at}`;
      const runId = await room.start(live(contentId, 'spam=0.9'), { mode: 'hold' });
      // The worker answers long after its lease is gone; meanwhile the item ran out of attempts.
      const late = await answers(runId);
      await expireLeases(database.pool);
      await sweepLeases(database.pool, { slot: 1 });
      await makeDue(database.pool);
      const refusing = scriptedClassifier({ answer: () => ({ outcome: 'refused', latencyMs: 1 }) });
      await round(database.pool, { runId, policy: room.policy, classifier: refusing });
      const settle = await dueReview(contentId, 'allow');
      for (const act of order) {
        if (act === 'review') await settle();
        if (act === 'late') expect((await commit(late)).lost).toBe(1);
        if (act === 'requeue') expect(await requeue(runId)).toMatchObject({ value: { requeued: 0 } });
      }
      const content = (await room.see.content()).find((row) => row.content_id === contentId);
      expect(content).toMatchObject({ status: 'published', status_rank: 'reviewer' });
      expect((await room.see.items(runId))[0]).toMatchObject({ state: 'failed_review', failure_code: 'refused' });
      await expectSound(runId);
    }
  });
});

describe('cancelling', () => {
  test('open items end as cancelled without a case; what was under way is dropped by its fence; it reconciles', async () => {
    const runId = await room.start([{ contentId: 'x1', text: 'spam=0.9' }, { contentId: 'x2' }, { contentId: 'x3' }], {
      mode: 'hold',
    });
    const [done] = await leaseBatch(database.pool, { runId, workerId: WORKER_A, limit: 1 });
    if (!done) throw new Error('nothing leased');
    await commit({
      runId,
      policy: room.policy,
      results: await callAll(
        database.pool,
        { runId, policy: room.policy, classifier: room.classifier },
        [done],
        (await startAttempts(database.pool, { runId, items: [done] })).attempts,
      ),
    });
    const flying = await leaseBatch(database.pool, { runId, workerId: WORKER_A, limit: 1 });
    const { attempts } = await startAttempts(database.pool, { runId, items: flying });
    expect(await cancelRun(database.pool, { runId, actor: 'cli' })).toMatchObject({ ok: true, value: 'cancelled' });
    const results = await callAll(
      database.pool,
      { runId, policy: room.policy, classifier: room.classifier },
      flying,
      attempts,
    );
    expect((await commit({ runId, policy: room.policy, results })).lost).toBe(1);
    expect((await room.see.items(runId)).map((item) => [item.state, item.failure_code, item.attempt_count])).toEqual([
      ['classified', null, 1],
      ['failed_review', 'cancelled', 1],
      ['failed_review', 'cancelled', 0],
    ]);
    expect(await room.see.lineage(runId)).toMatchObject([{ outcome: 'ok' }, { outcome: 'cancelled', spends: false }]);
    expect((await room.see.cases()).filter((row) => /^x[23]$/.test(row.content_id))).toEqual([]);
    expect(await requeueRun(database.pool, { runId, code: 'cancelled', actor: 'cli' })).toMatchObject({
      refusal: 'not_requeueable',
    });
    expect(await requeueRun(database.pool, { runId, code: 'timeout', actor: 'cli' })).toMatchObject({
      refusal: 'wrong_state',
    });
    await expectSound(runId);
  });

  test('a held item whose case a requeue had closed gets one again when its attempts are cancelled', async () => {
    const runId = await room.start(live('x5', 'fail=refused'), { mode: 'hold' });
    await round(database.pool, { runId, policy: room.policy, classifier: room.classifier });
    await requeueRun(database.pool, { runId, code: 'refused', actor: 'cli' });
    await cancelRun(database.pool, { runId, actor: 'cli' });
    const cases = (await room.see.cases()).filter((row) => row.content_id === 'x5');
    expect(cases).toMatchObject([
      { reason_code: 'refused', closed_as: 'requeued' },
      { reason_code: 'cancelled', kind: 'exception', state: 'open' },
    ]);
    await expectSound(runId);
  });

  test('a flush and a cancel that meet: whichever is first, each item ends once', async () => {
    for (const order of ['flush first', 'cancel first'] as const) {
      const contentId = `x4-${order}`;
      const late = await answers(await room.start([{ contentId, text: 'spam=0.5' }]));
      const itemIds = late.results.map((result) => result.id);
      const flush = () => commit(late);
      const cancel = () => cancelRun(database.pool, { runId: late.runId, actor: 'cli' });
      if (order === 'flush first') await meet<unknown[]>(database.pool, { itemIds }, [flush, cancel]);
      else await meet<unknown[]>(database.pool, { itemIds }, [cancel, flush]);
      const [item] = await room.see.items(late.runId);
      expect(item?.state).toBe(order === 'flush first' ? 'classified' : 'failed_review');
      await expectSound(late.runId);
    }
  });
});
