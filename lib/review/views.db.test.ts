import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import { approveAction } from '../enforcement/approve.db.ts';
import { caseView } from './case-view.db.ts';
import { claimCase } from './claim.db.ts';
import { reverseRecord } from './reverse.db.ts';
import { sweepSuperseded } from './sweep.db.ts';
import {
  addCase,
  addItem,
  addUser,
  arrive,
  expireClaim,
  POLICY,
  review,
  send,
  setUpDesk,
  value,
} from './testing/desk.db.ts';
import { timeline } from './timeline.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

/** A run whose only item failed after two tries, the first of them without a known outcome. */
async function failedItem(contentId: string) {
  const { rows } = await db.pool.query<{ id: string }>(
    `WITH s AS (INSERT INTO snapshot (sha256, revisions) VALUES (md5(random()::text), 1) RETURNING id)
     INSERT INTO run (name, snapshot_id, policy_version, mode, classifier, concurrency, created_by)
     SELECT 'run-' || md5(random()::text), s.id, $1, 'hold', 'builtin', 1, 'cli' FROM s RETURNING id`,
    [POLICY],
  );
  const item = await db.pool.query<{ id: number }>(
    `INSERT INTO work_item (run_id, content_id, revision, decision_id, source, content_type, state, failure_code, failed_at)
     SELECT $1, k.content_id, k.revision, k.decision_id, k.source, k.content_type, 'failed_review', 'timeout', now()
     FROM review_case k WHERE k.content_id = $2 RETURNING id`,
    [rows[0]?.id, contentId],
  );
  const id = item.rows[0]?.id;
  await db.pool.query(
    `INSERT INTO attempt (work_item_id, number, lease_token, call_group)
     SELECT $1, n, gen_random_uuid(), 0 FROM generate_series(1, 2) n`,
    [id],
  );
  await db.pool.query(
    `INSERT INTO attempt_outcome (work_item_id, number, outcome, spends, latency_ms) VALUES ($1, 2, 'timeout', true, 25000)`,
    [id],
  );
}

test('a case shows the stored revision, the decision with its reasons, the policy and what came before', async () => {
  const item = await addItem(db.pool);
  const first = await addCase(db.pool, item, { policyVersion: 'other@1' });
  const reviewer = await addUser(db.pool, 'reviewer');
  await review(db.pool, first, reviewer, { verdict: 'allow', note: 'Seen before.' });
  const view = await caseView(db.pool, await addCase(db.pool, item));
  expect(view).toMatchObject({
    case: { state: 'open', mode: 'hold', reasonCode: 'review', label: 'harassment', score: 0.7, claim: null },
    view: {
      item: { status: 'published', rank: 'reviewer', version: 1, currentRevision: '1' },
      revision: { text: 'A text.', title: null, authorName: 'somebody', textSha256: 'a'.repeat(64) },
      newerRevision: null,
      decision: {
        verdict: 'review',
        classification: { scores: { harassment: 0.7 } },
        because: [{ label: 'harassment', rule: 'reviewAt' }],
      },
      exception: null,
      policy: { policyVersion: POLICY, document: { contract: { kind: 'scores' } } },
      otherDecisions: [{ policyVersion: 'other@1' }],
      reviews: [{ userId: reviewer, verdict: 'allow', note: 'Seen before.' }],
      activeAction: null,
    },
    submission: null,
  });
});

test('a case of an exception shows how classification ended, and that there is no machine opinion', async () => {
  const item = await addItem(db.pool);
  const caseId = await addCase(db.pool, item, { kind: 'exception' });
  await failedItem(item.contentId);
  expect(await caseView(db.pool, caseId)).toMatchObject({
    case: { kind: 'exception', reasonCode: 'timeout' },
    view: {
      decision: null,
      exception: { code: 'timeout' },
      attempts: [
        { number: 1, outcome: null, latencyMs: null },
        { number: 2, outcome: 'timeout', spends: true, latencyMs: 25_000 },
      ],
    },
  });
});

test('a case never shows the token of its claim, and an expired claim is none', async () => {
  const caseId = await addCase(db.pool, await addItem(db.pool));
  const userId = await addUser(db.pool, 'reviewer');
  const { token } = value(await claimCase(db.pool, { caseId, userId }));
  const held = await caseView(db.pool, caseId);
  expect(held?.case.claim?.userId).toBe(userId);
  expect(JSON.stringify(held)).not.toContain(token);
  await expireClaim(db.pool, caseId);
  expect((await caseView(db.pool, caseId))?.case).toMatchObject({ state: 'open', claim: null });
});

test('a case shows the review on its way, and a newer revision', async () => {
  const item = await addItem(db.pool);
  const caseId = await addCase(db.pool, item);
  const userId = await addUser(db.pool, 'reviewer');
  const { submissionId } = await send(db.pool, caseId, userId, { verdict: 'restrict', labels: ['spam'] });
  await arrive(db.pool, item, '2');
  expect(await caseView(db.pool, caseId)).toMatchObject({
    case: { state: 'submitted' },
    submission: { submissionId, userId, verdict: 'restrict', labels: ['spam'] },
    view: { newerRevision: { revision: '2' }, revision: { revision: '1', text: 'A text.' } },
  });
});

test('no case has a view where there is none', async () => {
  expect(await caseView(db.pool, '11111111-1111-4111-8111-111111111111')).toBeNull();
  expect(await caseView(db.pool, '../x')).toBeNull();
});

test('a timeline tells the whole story of an item in order', async () => {
  const item = await addItem(db.pool);
  const [caseId, reviewer] = [await addCase(db.pool, item), await addUser(db.pool, 'reviewer')];
  await addCase(db.pool, item, { policyVersion: 'other@1', kind: 'exception' });
  await review(db.pool, caseId, reviewer, { verdict: 'restrict', note: 'Look.' });
  const actionId = (await activeActions(db.pool, [item.contentId])).get(item.contentId)?.id ?? '';
  const [moderator, owner] = [await addUser(db.pool, 'moderator'), await addUser(db.pool, 'owner')];
  value(await approveAction(db.pool, { actionId, userId: moderator, revision: '1' }));
  value(
    await reverseRecord(db.pool, {
      contentId: item.contentId,
      version: 2,
      userId: owner,
      reason: 'appeal',
      note: 'They are right.',
    }),
  );
  await arrive(db.pool, item, '2');
  await sweepSuperseded(db.pool);
  const told = await timeline(db.pool, item.contentId);
  const line = told?.entries.map((entry) => {
    switch (entry.kind) {
      case 'case':
        return `case ${entry.event}`;
      case 'action':
        return `action ${entry.step}`;
      case 'record':
        return `record ${entry.version} ${entry.prior.status} -> ${entry.next.status}`;
      case 'arrival':
        return `arrival ${entry.revision}`;
      default:
        return entry.kind;
    }
  });
  const order = (what: string) => line?.indexOf(what) ?? -1;
  const story = [
    'arrival 1',
    'decision',
    'case opened',
    'case submitted',
    'record 1 held -> held',
    'record 2 held -> restricted',
    'record 3 restricted -> held',
    'arrival 2',
  ];
  expect(story.map(order)).toEqual(story.map(order).sort((a, b) => a - b));
  expect(Math.min(...story.map(order))).toBeGreaterThanOrEqual(0);
  expect(
    ['review', 'action proposed', 'action approved', 'action applied', 'action reversed'].map(order),
  ).not.toContain(-1);
  const records = told?.entries.filter((entry) => entry.kind === 'record') ?? [];
  expect(records.map((one) => [one.answers?.split(':')[0], one.proposalId, one.note])).toEqual([
    ['review', actionId, null],
    ['action', null, null],
    ['record', null, 'They are right.'],
  ]);
  expect(told?.item).toMatchObject({ status: 'held', version: 3, currentRevision: '2' });
});

test('an item nobody knows has no timeline', async () => {
  expect(await timeline(db.pool, 'nothing')).toBeNull();
});
