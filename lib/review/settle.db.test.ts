import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockContent, personActedOn } from '../content/status.db.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { caseView } from './case-view.db.ts';
import { readDraft } from './drafts.db.ts';
import { myReviews } from './mine.db.ts';
import { queueCounts } from './queue.db.ts';
import { settleDue, settleSubmission } from './settle.db.ts';
import { sweepSuperseded } from './sweep.db.ts';
import {
  addCase,
  addItem,
  addUser,
  arrive,
  type Item,
  inTransaction,
  makeDue,
  POLICY,
  putStatus,
  review,
  send,
  setRole,
  setUpDesk,
  stateOf,
} from './testing/desk.db.ts';
import { meet } from './testing/gate.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

const reviewer = () => addUser(db.pool, 'reviewer');
const rows = async (statement: string, values: unknown[]) => (await db.pool.query(statement, values)).rows;
const records = (item: Item) =>
  rows(
    `SELECT version, prior_status, prior_rank, next_status, next_rank, next_action, actor, reason, answers, decision_id
     FROM rollback_record WHERE content_id = $1 ORDER BY version`,
    [item.contentId],
  );
const actions = (item: Item) =>
  rows(
    `SELECT state, action, label, reason_code, proposed_by, status_version, closed_as FROM enforcement_action
     WHERE content_id = $1 ORDER BY proposed_at`,
    [item.contentId],
  );
const events = (item: Item) =>
  rows('SELECT kind, status_version, data FROM outbox_event WHERE content_id = $1 ORDER BY seq', [item.contentId]);

describe('the review act', () => {
  test('of an allow publishes with the rank of the reviewer, all in one transaction', async () => {
    const item = await addItem(db.pool);
    const [caseId, me] = [await addCase(db.pool, item), await reviewer()];
    const settled = await review(db.pool, caseId, me, { verdict: 'allow', labels: ['spam'], note: 'Fine.' });
    expect(settled).toMatchObject({ outcome: 'effective', statusVersion: 1 });
    const reviewId = settled.outcome === 'effective' ? settled.reviewId : '';
    expect(await stateOf(db.pool, item)).toEqual({ status: 'published', rank: 'reviewer', action: null, version: 1 });
    expect(await records(item)).toMatchObject([
      {
        version: 1,
        prior_status: 'held',
        next_status: 'published',
        actor: `user:${me}`,
        answers: `review:${reviewId}`,
      },
    ]);
    expect(await events(item)).toMatchObject([{ kind: 'content.published', status_version: 1 }]);
    expect(await rows('SELECT * FROM review WHERE id = $1', [reviewId])).toMatchObject([
      { case_id: caseId, user_id: me, role: 'reviewer', verdict: 'allow', labels: ['spam'], status_version: 1 },
    ]);
    const view = await caseView(db.pool, caseId);
    expect([view?.case.state, view?.case.closedAs, view?.view.reviews[0]?.note]).toEqual([
      'closed',
      'reviewed',
      'Fine.',
    ]);
    const audit = await rows("SELECT data FROM audit_event WHERE kind = 'review.effective' AND subject = $1", [
      `case:${caseId}`,
    ]);
    expect(audit).toMatchObject([
      { data: { review: reviewId, verdict: 'allow', role: 'reviewer', status_version: 1 } },
    ]);
    expect(JSON.stringify(audit)).not.toContain('Fine.');
  });

  test('of a restrict proposes the action of the strongest named label; nothing is restricted', async () => {
    const item = await addItem(db.pool, { status: 'published' });
    const [caseId, me] = [await addCase(db.pool, item), await reviewer()];
    await review(db.pool, caseId, me, { verdict: 'restrict', labels: ['spam', 'hate'], reasonCode: 'advert' });
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'published', rank: 'policy', version: 1 });
    expect(await actions(item)).toEqual([
      {
        state: 'proposed',
        action: 'limit',
        label: 'hate',
        reason_code: 'advert',
        proposed_by: `user:${me}`,
        status_version: 1,
        closed_as: null,
      },
    ]);
    expect(await records(item)).toMatchObject([{ version: 1, prior_status: 'published', next_status: 'published' }]);
    expect(await events(item)).toMatchObject([{ kind: 'content.reviewed' }]);
  });

  test('of a restrict on what still waits holds it', async () => {
    const item = await addItem(db.pool, { source: 'live', status: 'pending' });
    await review(db.pool, await addCase(db.pool, item), await reviewer(), { verdict: 'restrict' });
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'held', rank: 'policy' });
    expect(await events(item)).toMatchObject([{ kind: 'content.held' }]);
    expect(await actions(item)).toMatchObject([{ state: 'proposed', action: 'hide', label: 'harassment' }]);
  });

  test('in record mode writes review and record, and nothing else', async () => {
    for (const verdict of ['allow', 'restrict'] as const) {
      const item = await addItem(db.pool, { status: 'published' });
      const caseId = await addCase(db.pool, item, { mode: 'record' });
      await review(db.pool, caseId, await reviewer(), { verdict });
      expect(await stateOf(db.pool, item)).toEqual({ status: 'published', rank: 'policy', action: null, version: 1 });
      expect([await actions(item), await records(item)]).toMatchObject([
        [],
        [{ prior_status: 'published', prior_rank: 'policy', next_status: 'published', next_rank: 'policy' }],
      ]);
      expect(await events(item)).toMatchObject([{ kind: 'content.reviewed' }]);
    }
  });

  test('of an exception decides the content under the exception’s key', async () => {
    const item = await addItem(db.pool);
    const caseId = await addCase(db.pool, item, { kind: 'exception' });
    await review(db.pool, caseId, await reviewer(), { verdict: 'allow' });
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'published' });
    const view = await caseView(db.pool, caseId);
    expect(await records(item)).toMatchObject([{ decision_id: view?.case.decisionId }]);
    expect(view?.view.decision).toBeNull();
  });

  test('replaces the proposal of a colleague, and the later one is the one to approve', async () => {
    const item = await addItem(db.pool);
    const [first, second] = [await reviewer(), await reviewer()];
    await review(db.pool, await addCase(db.pool, item), first, { verdict: 'restrict' });
    const other = await addCase(db.pool, item, { policyVersion: 'other@1', kind: 'exception' });
    await review(db.pool, other, second, { verdict: 'restrict', reasonCode: 'other' });
    expect(await actions(item)).toMatchObject([
      { state: 'withdrawn', closed_as: 'newer_record', proposed_by: `user:${first}`, status_version: 1 },
      { state: 'proposed', proposed_by: `user:${second}`, status_version: 2 },
    ]);
  });

  test('reads no text, note or name into audit or outbox', async () => {
    const item = await addItem(db.pool);
    const caseId = await addCase(db.pool, item);
    await review(db.pool, caseId, await reviewer(), { verdict: 'restrict', note: 'canary-note' });
    const told = await rows(
      'SELECT data::text AS told FROM audit_event UNION ALL SELECT data::text FROM outbox_event',
      [],
    );
    const all = JSON.stringify(told);
    for (const secret of ['canary-note', 'A text.', 'somebody', '@docket.example']) expect(all).not.toContain(secret);
  });
});

describe('a submission that is due is refused, the case is open again and its author is told,', () => {
  const happenings: readonly (readonly [string, string, (item: Item, userId: string) => Promise<unknown>, string])[] = [
    ['where a newer revision arrived', 'stale_revision', (item) => arrive(db.pool, item, '2'), 'reviewer'],
    ['where the role changed', 'role_changed', (_, userId) => setRole(db.pool, userId, 'manager'), 'reviewer'],
    [
      'where a higher rank decided meanwhile, and then it is the moderators’',
      'outranked',
      (item) => putStatus(db.pool, item, { status: 'published', rank: 'owner', action: null }),
      'moderator',
    ],
    [
      'where the content was removed',
      'removed',
      (item) => putStatus(db.pool, item, { status: 'removed', rank: 'owner', action: null }),
      'reviewer',
    ],
  ];
  test.each(happenings)('%s', async (_, expected, happen, tier) => {
    const item = await addItem(db.pool);
    const [caseId, me] = [await addCase(db.pool, item), await reviewer()];
    const { submissionId } = await send(db.pool, caseId, me, { verdict: 'allow', note: 'My words.' });
    await happen(item, me);
    const before = await stateOf(db.pool, item);
    await makeDue(db.pool, submissionId);
    expect(await settleSubmission(db.pool, submissionId)).toEqual({ outcome: 'refused', refusal: expected });
    expect(await settleSubmission(db.pool, submissionId)).toEqual({ outcome: 'nothing' });
    expect(await stateOf(db.pool, item)).toEqual(before);
    const view = await caseView(db.pool, caseId);
    expect([view?.case.state, view?.case.tier, view?.case.claim]).toEqual(['open', tier, null]);
    expect(view?.events.at(-1)).toMatchObject({ kind: 'refused', data: { refusal: expected } });
    expect((await readDraft(db.pool, { caseId, userId: me }))?.text).toBe('My words.');
    expect((await myReviews(db.pool, me)).items.filter((one) => one.state === 'refused')).toMatchObject([
      { submissionId, state: 'refused', refusal: expected, note: 'My words.', reviewId: null },
    ]);
    expect(await rows('SELECT 1 FROM review WHERE case_id = $1', [caseId])).toEqual([]);
  });
});

describe('settling', () => {
  test('takes what is due, oldest first, and leaves the rest', async () => {
    const sent = [];
    for (let i = 0; i < 3; i++) {
      sent.push(
        await send(db.pool, await addCase(db.pool, await addItem(db.pool)), await reviewer(), { verdict: 'allow' }),
      );
    }
    for (const one of sent.slice(0, 2)) await makeDue(db.pool, one.submissionId);
    expect(await settleDue(db.pool, { limit: 1 })).toEqual({ effectiveCount: 1, refusedCount: 0 });
    expect(await settleDue(db.pool, { limit: 10 })).toEqual({ effectiveCount: 1, refusedCount: 0 });
    expect(await settleDue(db.pool, { limit: 10 })).toEqual({ effectiveCount: 0, refusedCount: 0 });
  });

  test('by many at once makes one review of each submission', async () => {
    const items = await Promise.all(Array.from({ length: 6 }, () => addItem(db.pool)));
    for (const item of items) {
      const { submissionId } = await send(db.pool, await addCase(db.pool, item), await reviewer(), {
        verdict: 'allow',
      });
      await makeDue(db.pool, submissionId);
    }
    const swept = await Promise.all(Array.from({ length: 4 }, () => settleDue(db.pool, { limit: 10 })));
    expect(swept.reduce((sum, one) => sum + one.effectiveCount, 0)).toBe(6);
    for (const item of items) expect((await records(item)).length).toBe(1);
  });

  test('that meets an arrival decides the revision that was read or refuses, and never the one that came', async () => {
    for (const first of ['review', 'arrival'] as const) {
      const item = await addItem(db.pool, { source: 'live', status: 'held' });
      const { submissionId } = await send(db.pool, await addCase(db.pool, item), await reviewer(), {
        verdict: 'allow',
      });
      await makeDue(db.pool, submissionId);
      const acts = [() => settleSubmission(db.pool, submissionId), () => arrive(db.pool, item, '2')];
      const met = await meet<readonly unknown[]>(db.pool, item, first === 'review' ? acts : acts.reverse());
      const [settled] = met.filter((one) => one !== undefined);
      expect(settled).toMatchObject(
        first === 'review' ? { outcome: 'effective' } : { outcome: 'refused', refusal: 'stale_revision' },
      );
      for (const row of await rows('SELECT revision FROM review WHERE content_id = $1', [item.contentId])) {
        expect(row).toEqual({ revision: '1' });
      }
    }
  });
});

test('a late result of a machine finds that a person acted on the revision', async () => {
  const item = await addItem(db.pool);
  await review(db.pool, await addCase(db.pool, item), await reviewer(), { verdict: 'restrict' });
  const acted = await inTransaction(db.pool, (tx) => personActedOn(tx, [{ contentId: item.contentId, revision: '1' }]));
  expect([...acted]).toEqual([item.contentId]);
});

test('cases and proposals of older revisions are swept; a claimed case is left to its reviewer', async () => {
  const item = await addItem(db.pool);
  const open = await addCase(db.pool, item);
  const proposing = await addCase(db.pool, item, { policyVersion: 'other@1', kind: 'exception' });
  await review(db.pool, proposing, await reviewer(), { verdict: 'restrict', reasonCode: 'other' });
  const { submissionId } = await send(
    db.pool,
    await addCase(db.pool, item, { policyVersion: 'other@2', kind: 'exception' }),
    await reviewer(),
    { verdict: 'allow' },
  );
  await arrive(db.pool, item, '2');
  const before = await queueCounts(db.pool);
  expect(await sweepSuperseded(db.pool)).toMatchObject({ caseCount: expect.any(Number), actionCount: 1 });
  expect(await queueCounts(db.pool)).toMatchObject({ review: { count: before.review.count } });
  expect((await caseView(db.pool, open))?.case.closedAs).toBe('superseded');
  expect(await actions(item)).toMatchObject([{ state: 'withdrawn', closed_as: 'superseded' }]);
  await makeDue(db.pool, submissionId);
  expect(await settleSubmission(db.pool, submissionId)).toMatchObject({ refusal: 'stale_revision' });
});

test('the sweep leaves an action alone while an act holds its content item', async () => {
  const item = await addItem(db.pool);
  await review(db.pool, await addCase(db.pool, item), await reviewer(), { verdict: 'restrict' });
  await arrive(db.pool, item, '2');
  await inTransaction(db.pool, async (tx) => {
    await lockContent(tx, [item.contentId]);
    expect((await sweepSuperseded(db.pool)).actionCount).toBe(0);
  });
  expect((await sweepSuperseded(db.pool)).actionCount).toBe(1);
});

test('what a person sent is listed page by page, newest first, with what became of it', async () => {
  const me = await reviewer();
  for (const verdict of ['allow', 'restrict', 'allow'] as const) {
    await review(db.pool, await addCase(db.pool, await addItem(db.pool)), me, { verdict });
  }
  const first = await myReviews(db.pool, me, { limit: 2 });
  const second = await myReviews(db.pool, me, { limit: 2, after: first.next });
  expect([...first.items, ...second.items].map((one) => [one.verdict, one.state, one.policyVersion])).toEqual([
    ['allow', 'effective', POLICY],
    ['restrict', 'effective', POLICY],
    ['allow', 'effective', POLICY],
  ]);
  expect(second.next).toBeNull();
});
