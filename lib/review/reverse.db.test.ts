import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import { approveAction } from '../enforcement/approve.db.ts';
import { previewReversal } from './record.db.ts';
import { rejectAndRelease } from './release.db.ts';
import { type ReverseRequest, reverseRecord } from './reverse.db.ts';
import {
  addCase,
  addItem,
  addProposal,
  addUser,
  arrive,
  type Item,
  POLICY,
  putStatus,
  refusal,
  review,
  setEnforcement,
  setUpDesk,
  stateOf,
  value,
} from './testing/desk.db.ts';
import { meet } from './testing/gate.db.ts';

let db: TestDatabase;
let owner: string;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
  owner = await addUser(db.pool, 'owner');
});
afterAll(() => db.close());

const reverse = (item: Item, version: number, more: Partial<ReverseRequest> = {}) =>
  reverseRecord(db.pool, { contentId: item.contentId, version, userId: owner, reason: 'mistake', ...more });
const rows = async (statement: string, values: unknown[]) => (await db.pool.query(statement, values)).rows;
const active = async (item: Item) => (await activeActions(db.pool, [item.contentId])).get(item.contentId);
const cases = (item: Item) =>
  rows(
    `SELECT state, tier, reason_code, revision, policy_version, decision_id FROM review_case
     WHERE content_id = $1 AND state <> 'closed' ORDER BY seq`,
    [item.contentId],
  );

/** An item that a moderator restricted: record 1. */
async function restricted({ source = 'backfill', status = 'published' as 'held' | 'published' } = {}) {
  const item = await addItem(db.pool, { source, status });
  const actionId = await addProposal(db.pool, item, { status });
  const moderator = await addUser(db.pool, 'moderator');
  value(await approveAction(db.pool, { actionId, userId: moderator, revision: '1' }));
  return { item, actionId, moderator };
}

describe('the owner reverses', () => {
  test('an applied restriction: the item is as it was, the action is reversed, nothing is deleted', async () => {
    const { item, actionId } = await restricted();
    const before = value(await previewReversal(db.pool, { contentId: item.contentId, version: 1 }));
    const reversed = value(await reverse(item, 1, { note: 'I looked again.' }));
    expect(reversed).toEqual({
      statusVersion: 2,
      restored: { status: 'published', rank: 'policy', action: null },
      caseId: null,
    });
    expect(before.next).toEqual(reversed.restored);
    expect(await stateOf(db.pool, item)).toEqual({ status: 'published', rank: 'policy', action: null, version: 2 });
    expect(await rows('SELECT state, closed_as FROM enforcement_action WHERE id = $1', [actionId])).toEqual([
      { state: 'reversed', closed_as: 'record_reversed' },
    ]);
    expect(
      await rows('SELECT version, actor, reason, answers FROM rollback_record WHERE content_id = $1 ORDER BY version', [
        item.contentId,
      ]),
    ).toMatchObject([{ version: 1 }, { version: 2, actor: `user:${owner}`, reason: 'mistake', answers: 'record:1' }]);
    expect(await rows('SELECT kind FROM outbox_event WHERE content_id = $1 ORDER BY seq', [item.contentId])).toEqual([
      { kind: 'content.restricted' },
      { kind: 'content.restored' },
    ]);
    expect(
      await rows("SELECT text FROM note WHERE kind = 'record' AND subject = $1", [`record:${item.contentId}:2`]),
    ).toEqual([{ text: 'I looked again.' }]);
    expect(await rows('SELECT kind FROM audit_event WHERE subject = $1', [`content:${item.contentId}`])).toEqual([
      { kind: 'review.reversed' },
    ]);
  });

  test('to held, and then the moderators have a case that names the record', async () => {
    const { item } = await restricted({ status: 'held' });
    const reversed = value(await reverse(item, 1));
    expect(reversed.restored).toEqual({ status: 'held', rank: 'policy', action: null });
    const open = await cases(item);
    expect(open).toMatchObject([{ state: 'open', tier: 'moderator', reason_code: 'reversal', policy_version: POLICY }]);
    expect(
      await rows("SELECT data FROM case_event WHERE case_id = $1 AND kind = 'opened'", [reversed.caseId]),
    ).toMatchObject([{ data: { record: 1 } }]);
  });

  test('a hold of what still waited: it is held, not pending, and somebody is asked', async () => {
    const item = await addItem(db.pool, { source: 'live', status: 'pending' });
    await putStatus(db.pool, item, { status: 'published', rank: 'policy', action: null });
    expect(value(await reverse(item, 1))).toMatchObject({ restored: { status: 'held' }, caseId: expect.any(String) });
  });

  test('opens no second case where one waits already', async () => {
    const item = await addItem(db.pool);
    const [first, second] = [await addCase(db.pool, item), await addCase(db.pool, item, { policyVersion: 'other@1' })];
    await review(db.pool, first, await addUser(db.pool, 'reviewer'), { verdict: 'allow' });
    expect(value(await reverse(item, 1))).toMatchObject({ restored: { status: 'held' }, caseId: null });
    expect((await cases(item)).length).toBe(1);
    expect(second).toBeTruthy();
  });

  test('a release: the same action is applied again, still proposed and approved by whom it was', async () => {
    const { item, moderator } = await restricted();
    await review(db.pool, await addCase(db.pool, item, { policyVersion: 'other@1' }), moderator, { verdict: 'allow' });
    expect(await active(item)).toBeUndefined();
    expect(value(await reverse(item, 2)).restored).toEqual({
      status: 'restricted',
      rank: 'moderator',
      action: 'limit',
    });
    expect(await active(item)).toMatchObject({
      state: 'applied',
      action: 'limit',
      proposedBy: `policy:${POLICY}`,
      decidedBy: `user:${moderator}`,
      appliedVersion: 3,
    });
    // And once more, which is a reversal of a reversal.
    expect(value(await reverse(item, 3)).restored).toMatchObject({ status: 'published' });
    expect(await active(item)).toBeUndefined();
  });

  test('no release while the source applies nothing', async () => {
    const { item, moderator } = await restricted({ source: 'documents' });
    await review(db.pool, await addCase(db.pool, item, { policyVersion: 'other@1' }), moderator, { verdict: 'allow' });
    await setEnforcement(db.pool, 'documents', false);
    expect(refusal(await reverse(item, 2))).toBe('enforcement_closed');
    await setEnforcement(db.pool, 'documents', true);
  });

  test('a review that only proposed: the proposal is withdrawn and the case is asked again', async () => {
    const item = await addItem(db.pool);
    await review(db.pool, await addCase(db.pool, item), await addUser(db.pool, 'reviewer'), { verdict: 'restrict' });
    const proposal = await active(item);
    expect(value(await reverse(item, 1))).toMatchObject({ restored: { status: 'held' }, caseId: expect.any(String) });
    expect(await rows('SELECT state, closed_as FROM enforcement_action WHERE id = $1', [proposal?.id])).toEqual([
      { state: 'withdrawn', closed_as: 'newer_record' },
    ]);
  });

  test('what a newer revision is not to inherit: on a live source it is held and asked about', async () => {
    const { item } = await restricted({ source: 'live' });
    await arrive(db.pool, item, '2');
    const reversed = value(await reverse(item, 1));
    expect(reversed.restored).toEqual({ status: 'held', rank: 'policy', action: null });
    expect(await cases(item)).toMatchObject([{ revision: '2', policy_version: POLICY, reason_code: 'reversal' }]);
  });

  test('only the newest record, only once, and only what exists', async () => {
    const { item, moderator } = await restricted();
    await review(db.pool, await addCase(db.pool, item, { policyVersion: 'other@1' }), moderator, { verdict: 'allow' });
    expect(refusal(await reverse(item, 1))).toBe('newer_record');
    value(await reverse(item, 2));
    expect(refusal(await reverse(item, 2))).toBe('already_reversed');
    expect(refusal(await reverse(item, 9))).toBe('not_found');
    expect(refusal(await reverse({ contentId: 'nothing', source: '' }, 1))).toBe('not_found');
    expect(refusal(await reverse(item, 3, { reason: 'nonsense' }))).toBe('unknown_reason');
    expect(refusal(await reverse(item, 3, { userId: moderator }))).toBe('role_changed');
    await putStatus(db.pool, item, { status: 'removed', rank: 'owner', action: null });
    expect(refusal(await reverse(item, 4))).toBe('removed');
  });
});

describe('two who act at once', () => {
  test('two reversals of one record: one is done', async () => {
    const { item } = await restricted();
    const both = await meet(db.pool, item, [() => reverse(item, 1), () => reverse(item, 1)]);
    expect(both.map(refusal)).toEqual(['ok', 'already_reversed']);
    expect(await stateOf(db.pool, item)).toMatchObject({ version: 2 });
  });

  test('a reversal and a late approval: the approval never undoes it', async () => {
    for (const first of ['reverse', 'approve'] as const) {
      const item = await addItem(db.pool);
      await review(db.pool, await addCase(db.pool, item), await addUser(db.pool, 'reviewer'), { verdict: 'restrict' });
      const actionId = (await active(item))?.id ?? '';
      const moderator = await addUser(db.pool, 'moderator');
      const approve = () => approveAction(db.pool, { actionId, userId: moderator, revision: '1' });
      const acts = [() => reverse(item, 1), approve] as (() => Promise<Parameters<typeof refusal>[0]>)[];
      const met = await meet<readonly Parameters<typeof refusal>[0][]>(
        db.pool,
        item,
        first === 'reverse' ? acts : acts.reverse(),
      );
      expect(met.map(refusal)).toEqual(['ok', first === 'reverse' ? 'already_decided' : 'newer_record']);
      expect(await stateOf(db.pool, item)).toMatchObject({ status: first === 'reverse' ? 'held' : 'restricted' });
    }
  });

  test('a reversal and a release of the same proposal', async () => {
    const item = await addItem(db.pool);
    await review(db.pool, await addCase(db.pool, item), await addUser(db.pool, 'reviewer'), { verdict: 'restrict' });
    const request = {
      actionId: (await active(item))?.id ?? '',
      userId: await addUser(db.pool, 'moderator'),
      revision: '1',
      reasonCode: 'too_strong',
      note: null,
    };
    const met = await meet<readonly Parameters<typeof refusal>[0][]>(db.pool, item, [
      () => rejectAndRelease(db.pool, request),
      () => reverse(item, 1),
    ]);
    expect(met.map(refusal)).toEqual(['ok', 'newer_record']);
  });
});
