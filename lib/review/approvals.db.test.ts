import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import { approvalView } from '../enforcement/approval-view.db.ts';
import { listApprovals } from '../enforcement/approvals.db.ts';
import { applyApproved, approveAction } from '../enforcement/approve.db.ts';
import { rejectToReview } from './back-to-review.db.ts';
import { queueCounts } from './queue.db.ts';
import { rejectAndRelease } from './release.db.ts';
import {
  addCase,
  addItem,
  addProposal,
  addUser,
  arrive,
  type Item,
  putStatus,
  refusal,
  review,
  setEnforcement,
  setRole,
  setUpDesk,
  stateOf,
  value,
} from './testing/desk.db.ts';
import { meet } from './testing/gate.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

const moderator = () => addUser(db.pool, 'moderator');
const approve = (actionId: string, userId: string, revision = '1') =>
  approveAction(db.pool, { actionId, userId, revision });
const words = { revision: '1', reasonCode: 'not_a_violation', note: null };
const release = (actionId: string, userId: string) => rejectAndRelease(db.pool, { actionId, userId, ...words });
const sendBack = (actionId: string, userId: string) => rejectToReview(db.pool, { actionId, userId, ...words });
const action = async (id: string) =>
  (await db.pool.query('SELECT * FROM enforcement_action WHERE id = $1', [id])).rows[0];
const rows = async (statement: string, values: unknown[]) => (await db.pool.query(statement, values)).rows;
const audits = (id: string) => rows('SELECT kind FROM audit_event WHERE subject = $1 ORDER BY id', [`action:${id}`]);

async function proposed({ source = 'backfill', status = 'held' as 'held' | 'published' } = {}) {
  const item = await addItem(db.pool, { source, status });
  return { item, actionId: await addProposal(db.pool, item, { status }) };
}
async function proposedBy(userId: string): Promise<{ item: Item; actionId: string }> {
  const item = await addItem(db.pool);
  await review(db.pool, await addCase(db.pool, item), userId, { verdict: 'restrict' });
  const found = (await activeActions(db.pool, [item.contentId])).get(item.contentId);
  if (!found) throw new Error('no proposal');
  return { item, actionId: found.id };
}

describe('an approval', () => {
  test('restricts at once, with the rank of the approver, and everything that belongs to it', async () => {
    const { item, actionId } = await proposed({ status: 'published' });
    const me = await moderator();
    expect(value(await approve(actionId, me))).toEqual({ state: 'applied', statusVersion: 1 });
    expect(await stateOf(db.pool, item)).toEqual({
      status: 'restricted',
      rank: 'moderator',
      action: 'limit',
      version: 1,
    });
    expect(await action(actionId)).toMatchObject({ state: 'applied', decided_by: `user:${me}`, applied_version: 1 });
    expect(await rows('SELECT * FROM rollback_record WHERE content_id = $1', [item.contentId])).toMatchObject([
      {
        version: 1,
        prior_status: 'published',
        next_status: 'restricted',
        actor: `user:${me}`,
        answers: `action:${actionId}`,
      },
    ]);
    expect(await rows('SELECT kind FROM outbox_event WHERE content_id = $1', [item.contentId])).toEqual([
      { kind: 'content.restricted' },
    ]);
    expect(await audits(actionId)).toEqual([{ kind: 'enforcement.approved' }]);
  });

  test('is never one’s own, also after one has become a moderator or the owner', async () => {
    const me = await addUser(db.pool, 'reviewer');
    const { item, actionId } = await proposedBy(me);
    for (const role of ['moderator', 'owner'] as const) {
      await setRole(db.pool, me, role);
      expect(refusal(await approve(actionId, me))).toBe('own_proposal');
      expect(refusal(await release(actionId, me))).toBe('own_proposal');
      expect(refusal(await sendBack(actionId, me))).toBe('own_proposal');
    }
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'held', version: 1 });
    expect(refusal(await approve(actionId, await addUser(db.pool, 'owner')))).toBe('ok');
  });

  test('of oneself is refused by the database as well', async () => {
    const { actionId } = await proposed();
    await expect(
      db.pool.query(
        "UPDATE enforcement_action SET state = 'approved', decided_by = proposed_by, decided_at = now() WHERE id = $1",
        [actionId],
      ),
    ).rejects.toThrow('four_eyes');
  });

  test('is refused without the role, on another revision, over a higher rank, and of no action', async () => {
    const { item, actionId } = await proposed();
    const me = await moderator();
    expect(refusal(await approve(actionId, await addUser(db.pool, 'reviewer')))).toBe('role_changed');
    expect(refusal(await approve(actionId, await addUser(db.pool, 'manager')))).toBe('role_changed');
    expect(refusal(await approve(actionId, me, '2'))).toBe('stale_revision');
    expect(refusal(await approve(me, me))).toBe('not_found');
    expect(refusal(await approve('nonsense', me))).toBe('not_found');
    await putStatus(db.pool, item, { status: 'published', rank: 'owner', action: null });
    expect(refusal(await approve(actionId, me))).toBe('outranked');
    await arrive(db.pool, item, '2');
    expect(refusal(await approve(actionId, me))).toBe('stale_revision');
    await putStatus(db.pool, item, { status: 'removed', rank: 'owner', action: null });
    expect(refusal(await approve(actionId, me))).toBe('removed');
    expect(await action(actionId)).toMatchObject({ state: 'proposed' });
  });

  test('where enforcement is closed waits, and is applied by the sweep once it is open', async () => {
    await setEnforcement(db.pool, 'documents', false);
    const { item, actionId } = await proposed({ source: 'documents' });
    const me = await moderator();
    expect(value(await approve(actionId, me))).toEqual({ state: 'approved', statusVersion: null });
    expect(await applyApproved(db.pool, { limit: 10 })).toBe(0);
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'held', version: 0 });
    expect(refusal(await approve(actionId, await moderator()))).toBe('already_decided');
    await setEnforcement(db.pool, 'documents', true);
    // What was approved stands, whatever the approver has become since.
    await setRole(db.pool, me, 'reviewer');
    const swept = await Promise.all([applyApproved(db.pool, { limit: 10 }), applyApproved(db.pool, { limit: 10 })]);
    expect(swept.sort()).toEqual([0, 1]);
    expect(await stateOf(db.pool, item)).toMatchObject({ status: 'restricted', rank: 'moderator', version: 1 });
    expect(await audits(actionId)).toEqual([{ kind: 'enforcement.approved' }, { kind: 'enforcement.applied' }]);
  });

  test('that waits is checked again: an older revision and a higher rank are not restricted', async () => {
    await setEnforcement(db.pool, 'documents', false);
    const [stale, outranked] = [await proposed({ source: 'documents' }), await proposed({ source: 'documents' })];
    for (const one of [stale, outranked]) value(await approve(one.actionId, await moderator()));
    await arrive(db.pool, stale.item, '2');
    await putStatus(db.pool, outranked.item, { status: 'published', rank: 'owner', action: null });
    await setEnforcement(db.pool, 'documents', true);
    expect(await applyApproved(db.pool, { limit: 10 })).toBe(0);
    expect(await stateOf(db.pool, stale.item)).toMatchObject({ status: 'held' });
    expect(await stateOf(db.pool, outranked.item)).toMatchObject({ status: 'published' });
  });
});

describe('a rejection', () => {
  test('that releases publishes with the rank of the moderator', async () => {
    const { item, actionId } = await proposed();
    const me = await moderator();
    const released = await rejectAndRelease(db.pool, { actionId, userId: me, ...words, note: 'Why.' });
    expect(value(released)).toEqual({ statusVersion: 1 });
    expect(await stateOf(db.pool, item)).toEqual({ status: 'published', rank: 'moderator', action: null, version: 1 });
    expect(await action(actionId)).toMatchObject({
      state: 'rejected',
      closed_as: 'released',
      decided_by: `user:${me}`,
    });
    expect(await rows('SELECT kind, text FROM note WHERE subject = $1', [`action:${actionId}`])).toEqual([
      { kind: 'action', text: 'Why.' },
    ]);
    expect(await rows('SELECT kind FROM outbox_event WHERE content_id = $1', [item.contentId])).toEqual([
      { kind: 'content.published' },
    ]);
  });

  test.each(['held', 'published'] as const)(
    'that sends back opens a case and leaves a %s item as it is',
    async (status) => {
      const { item, actionId } = await proposed({ status });
      const back = value(await sendBack(actionId, await moderator()));
      expect(await stateOf(db.pool, item)).toEqual({ status, rank: 'policy', action: null, version: 1 });
      expect(await action(actionId)).toMatchObject({ state: 'rejected', closed_as: 'back_to_review' });
      expect(await rows('SELECT * FROM review_case WHERE id = $1', [back.caseId])).toMatchObject([
        { state: 'open', tier: 'reviewer', mode: 'hold', reason_code: 'back_to_review', label: 'hate', revision: '1' },
      ]);
      const settled = await review(db.pool, String(back.caseId), await addUser(db.pool, 'reviewer'), {
        verdict: 'restrict',
      });
      expect(settled).toMatchObject({ outcome: 'effective', statusVersion: 2 });
      expect((await activeActions(db.pool, [item.contentId])).get(item.contentId)).toMatchObject({
        state: 'proposed',
        statusVersion: 2,
        proposerRole: 'reviewer',
      });
    },
  );

  test('needs a known reason', async () => {
    const { actionId } = await proposed();
    const request = { actionId, userId: await moderator(), revision: '1', reasonCode: 'nonsense', note: null };
    expect(refusal(await rejectAndRelease(db.pool, request))).toBe('unknown_reason');
    expect(refusal(await rejectToReview(db.pool, request))).toBe('unknown_reason');
  });
});

describe('two who decide on one proposal', () => {
  const ways = { approve, release, 'send back': sendBack } as const;
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const pairs = names.flatMap((one) => names.map((two) => [one, two] as const));
  test.each(pairs)('%s meets %s: the first decides, the second is told who, when and what', async (one, two) => {
    const { item, actionId } = await proposed();
    const [first, second] = [await moderator(), await moderator()];
    const acts = [() => ways[one](actionId, first), () => ways[two](actionId, second)] as const;
    const met = await meet<readonly Awaited<ReturnType<(typeof ways)[typeof one]>>[]>(db.pool, item, acts);
    expect(met[0]).toMatchObject({ ok: true });
    expect(met[1]).toMatchObject({ refusal: 'already_decided', detail: { by: `user:${first}` } });
    expect(await stateOf(db.pool, item)).toMatchObject({ version: 1 });
    expect((await audits(actionId)).length).toBe(1);
  });

  test('a review that allows and an approval: whoever is second finds it decided', async () => {
    for (const first of ['review', 'approve'] as const) {
      const item = await addItem(db.pool);
      const actionId = await addProposal(db.pool, item, { policyVersion: 'other@1' });
      const caseId = await addCase(db.pool, item);
      const reviewer = await addUser(db.pool, 'reviewer');
      const me = await moderator();
      const decide = {
        review: () => review(db.pool, caseId, reviewer, { verdict: 'allow' }),
        approve: () => approve(actionId, me),
      };
      if (first === 'review') {
        expect(await decide.review()).toMatchObject({ outcome: 'effective' });
        expect(await decide.approve()).toMatchObject({ refusal: 'already_decided', detail: { state: 'withdrawn' } });
        expect(await stateOf(db.pool, item)).toMatchObject({ status: 'published' });
      } else {
        expect(await decide.approve()).toMatchObject({ ok: true });
        await expect(decide.review()).rejects.toThrow('outranked');
        expect(await stateOf(db.pool, item)).toMatchObject({ status: 'restricted' });
      }
    }
  });
});

describe('what waits for an approval', () => {
  test('is counted exactly as it is listed, oldest first, page by page; older revisions do not wait', async () => {
    const stale = await proposed();
    await arrive(db.pool, stale.item, '2');
    const fresh = [await proposed(), await proposed(), await proposed()];
    const listed: string[] = [];
    let after: string | null = null;
    do {
      const page = await listApprovals(db.pool, { after, limit: 2 });
      listed.push(...page.items.map((one) => one.actionId));
      after = page.next;
    } while (after !== null);
    expect(listed.slice(-3)).toEqual(fresh.map((one) => one.actionId));
    expect(listed).not.toContain(stale.actionId);
    expect((await queueCounts(db.pool)).approvals.count).toBe(listed.length);
  });

  test('is shown with all that is known of the item and what each answer would change', async () => {
    const { actionId } = await proposed({ status: 'published' });
    const view = await approvalView(db.pool, actionId);
    expect(view).toMatchObject({
      approval: { actionId, state: 'proposed', action: 'limit', proposedBy: 'policy:desk-test@1', proposerName: null },
      view: { revision: { text: 'A text.', authorName: 'somebody' }, decision: { verdict: 'restrict' } },
      change: { now: 'shown', approved: 'limited', appliesAtOnce: true, released: 'shown', backToReview: 'shown' },
    });
    expect(view?.view.policy?.document.reasons.length).toBe(2);
    expect(await approvalView(db.pool, 'nonsense')).toBeNull();
  });
});
