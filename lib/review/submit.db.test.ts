import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { claimCase, heartbeat } from './claim.db.ts';
import { readDraft, saveDraft } from './drafts.db.ts';
import { NOTE_LENGTH_MAX, TAKE_BACK_MS } from './limits.ts';
import { myReviews } from './mine.db.ts';
import { settleDue, settleSubmission } from './settle.db.ts';
import { submitReview, takeBack } from './submit.db.ts';
import {
  addCase,
  addItem,
  addProposal,
  addUser,
  arrive,
  expireClaim,
  makeDue,
  putStatus,
  refusal,
  review,
  said,
  send,
  setRole,
  setUpDesk,
  stateOf,
  value,
  type Words,
} from './testing/desk.db.ts';
import { meet } from './testing/gate.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

const reviewer = () => addUser(db.pool, 'reviewer');
async function claimed(wish = {}) {
  const item = await addItem(db.pool);
  const [caseId, userId] = [await addCase(db.pool, item, wish), await reviewer()];
  const { token } = value(await claimCase(db.pool, { caseId, userId }));
  return { item, caseId, userId, token };
}
type Claimed = Awaited<ReturnType<typeof claimed>>;
const submit = ({ caseId, userId, token }: Claimed, words: Words) =>
  submitReview(db.pool, { caseId, userId, token, ...said(words) });
const note = async ({ caseId, userId }: Claimed) => (await readDraft(db.pool, { caseId, userId }))?.text ?? null;
const caseState = async (caseId: string) => {
  const { rows } = await db.pool.query<{ state: string }>('SELECT state FROM review_case WHERE id = $1', [caseId]);
  return rows[0]?.state;
};

describe('a submission', () => {
  test('is stored and acknowledged; six seconds long it changes nothing', async () => {
    const mine = await claimed();
    const before = await stateOf(db.pool, mine.item);
    const sent = value(await submit(mine, { verdict: 'allow' }));
    const { rows } = await db.pool.query<{ ms: number }>(
      'SELECT extract(epoch FROM effective_at - submitted_at) * 1000 AS ms FROM submission WHERE id = $1',
      [sent.submissionId],
    );
    expect(Math.abs(Number(rows[0]?.ms) - TAKE_BACK_MS)).toBeLessThanOrEqual(5);
    expect(await settleSubmission(db.pool, sent.submissionId)).toEqual({ outcome: 'nothing' });
    expect(await stateOf(db.pool, mine.item)).toEqual(before);
    expect(await caseState(mine.caseId)).toBe('submitted');
  });

  test('sent twice is one, before and after it counts; another body under the same claim comes too late', async () => {
    const mine = await claimed();
    const words = { verdict: 'restrict', labels: ['spam', 'hate'], note: 'A note.' } as const;
    const first = value(await submit(mine, words));
    expect(value(await submit(mine, { ...words, labels: ['hate', 'spam'] }))).toEqual(first);
    expect(refusal(await submit(mine, { ...words, verdict: 'allow' }))).toBe('already_decided');
    expect(refusal(await submit(mine, { ...words, note: 'Another note.' }))).toBe('already_decided');
    expect(await note(mine)).toBe('A note.\n\nAnother note.');
    await makeDue(db.pool, first.submissionId);
    await settleSubmission(db.pool, first.submissionId);
    expect(value(await submit(mine, words)).submissionId).toBe(first.submissionId);
  });

  test('sent twice at once is one', async () => {
    const mine = await claimed();
    const send = () => submit(mine, { verdict: 'allow' });
    const [one, two] = await meet(db.pool, { contentId: mine.item.contentId }, [send, send]);
    expect(value(two)).toEqual(value(one));
  });

  test('does not expire with the claim', async () => {
    const mine = await claimed();
    const { submissionId } = value(await submit(mine, { verdict: 'allow' }));
    await db.pool.query("UPDATE review_case SET claim_expires_at = now() - interval '1 hour' WHERE id = $1", [
      mine.caseId,
    ]);
    await makeDue(db.pool, submissionId);
    expect(await settleDue(db.pool, { limit: 10 })).toEqual({ effectiveCount: 1, refusedCount: 0 });
  });
});

describe('a submission is refused at once, and the note is kept as a draft,', () => {
  test.each([
    ['without a reason for a restrict', { verdict: 'restrict', reasonCode: null }, 'reason_required'],
    ['with a reason the policy does not know', { verdict: 'restrict', reasonCode: 'nonsense' }, 'unknown_reason'],
    ['with a label the policy does not know', { verdict: 'allow', labels: ['nonsense'] }, 'unknown_label'],
    ['for another revision than the case’s', { verdict: 'allow', revision: '2' }, 'stale_revision'],
  ] as const)('%s', async (_, words, expected) => {
    const mine = await claimed();
    expect(refusal(await submit(mine, { ...words, note: 'Kept.' }))).toBe(expected);
    expect(await note(mine)).toBe('Kept.');
    expect(await caseState(mine.caseId)).toBe('claimed');
  });

  const cases: readonly (readonly [string, (mine: Claimed) => Promise<unknown>, string])[] = [
    ['where a newer revision has arrived', (mine) => arrive(db.pool, mine.item, '2'), 'stale_revision'],
    ['where the claim has expired', (mine) => expireClaim(db.pool, mine.caseId), 'claim_lost'],
    [
      'where another tab has claimed the case',
      ({ caseId, userId }) => claimCase(db.pool, { caseId, userId }),
      'claim_lost',
    ],
    ['where the role has changed', (mine) => setRole(db.pool, mine.userId, 'manager'), 'role_changed'],
    [
      'where the account is disabled',
      (mine) => db.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [mine.userId]),
      'role_changed',
    ],
    [
      'where a higher rank has published',
      (mine) => putStatus(db.pool, mine.item, { status: 'published', rank: 'moderator', action: null }),
      'outranked',
    ],
    [
      'where the content is removed',
      (mine) => putStatus(db.pool, mine.item, { status: 'removed', rank: 'owner', action: null }),
      'removed',
    ],
  ];
  test.each(cases)('%s', async (_, happen, expected) => {
    const mine = await claimed();
    await happen(mine);
    expect(refusal(await submit(mine, { verdict: 'allow', note: 'Kept.' }))).toBe(expected);
    expect(await note(mine)).toBe('Kept.');
    expect(await myReviews(db.pool, mine.userId)).toEqual({ items: [], next: null });
  });

  test('where somebody else has decided, saying who, when and what', async () => {
    const mine = await claimed();
    await expireClaim(db.pool, mine.caseId);
    const other = await reviewer();
    await review(db.pool, mine.caseId, other, { verdict: 'restrict' });
    expect(await submit(mine, { verdict: 'allow', note: 'Kept.' })).toMatchObject({
      refusal: 'already_decided',
      detail: { by: other, verdict: 'restrict', role: 'reviewer', at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect(await note(mine)).toBe('Kept.');
  });

  test('beside what the draft says already', async () => {
    const mine = await claimed();
    await saveDraft(db.pool, { caseId: mine.caseId, userId: mine.userId, text: 'Before.' });
    await submit(mine, { verdict: 'restrict', reasonCode: null, note: 'After.' });
    await submit(mine, { verdict: 'restrict', reasonCode: null, note: 'After.' });
    expect(await note(mine)).toBe('Before.\n\nAfter.');
  });
});

test('a note is bounded, and a note of blanks is none', async () => {
  const mine = await claimed();
  await expect(submit(mine, { verdict: 'allow', note: 'x'.repeat(NOTE_LENGTH_MAX + 1) })).rejects.toThrow(RangeError);
  value(await submit(mine, { verdict: 'allow', note: ' \n ' }));
  expect((await myReviews(db.pool, mine.userId)).items[0]).toMatchObject({ state: 'waiting', note: null });
});

describe('taking back', () => {
  test('gives the case to its author again, under the same token, with the note as the draft', async () => {
    const mine = await claimed();
    const { submissionId } = value(await submit(mine, { verdict: 'restrict', note: 'Hasty.' }));
    expect(await note(mine)).toBeNull();
    const back = value(await takeBack(db.pool, { submissionId, userId: mine.userId }));
    expect(back).toMatchObject({ caseId: mine.caseId, token: mine.token });
    expect(await note(mine)).toBe('Hasty.');
    expect(refusal(await heartbeat(db.pool, mine))).toBe('ok');
    expect(value(await submit(mine, { verdict: 'allow' })).submissionId).not.toBe(submissionId);
  });

  test('is possible once, only for its author, and not once it counts', async () => {
    const mine = await claimed();
    const first = value(await submit(mine, { verdict: 'allow' }));
    expect(refusal(await takeBack(db.pool, { ...first, userId: await reviewer() }))).toBe('not_yours');
    value(await takeBack(db.pool, { ...first, userId: mine.userId }));
    expect(await takeBack(db.pool, { ...first, userId: mine.userId })).toMatchObject({
      refusal: 'already_decided',
      detail: { state: 'taken_back' },
    });
    const second = value(await submit(mine, { verdict: 'allow' }));
    await makeDue(db.pool, second.submissionId);
    expect(refusal(await takeBack(db.pool, { ...second, userId: mine.userId }))).toBe('already_decided');
    expect(refusal(await takeBack(db.pool, { submissionId: mine.caseId, userId: mine.userId }))).toBe('not_found');
  });

  test('sets aside what its author had turned to, within the limit of what may be held for later', async () => {
    const mine = await claimed();
    const sent = value(await submit(mine, { verdict: 'allow' }));
    const others = await Promise.all([1, 2, 3].map(async () => addCase(db.pool, await addItem(db.pool))));
    const [reading, ...later] = others as [string, string, string];
    value(await claimCase(db.pool, { caseId: reading, userId: mine.userId }));
    for (const caseId of later) value(await claimCase(db.pool, { caseId, userId: mine.userId, prefetch: true }));
    value(await takeBack(db.pool, { ...sent, userId: mine.userId }));
    const { rows } = await db.pool.query(
      'SELECT id, state, prefetched FROM review_case WHERE id = ANY($1) ORDER BY seq',
      [others],
    );
    const of = (id: string) => rows.find((row) => row.id === id);
    expect([of(reading), of(later[0] ?? '')].map((row) => [row.state, row.prefetched])).toEqual([
      ['claimed', true],
      ['claimed', true],
    ]);
    expect(of(later[1] ?? '')).toMatchObject({ state: 'open', prefetched: false });
  });

  test('and becoming effective never both happen, whichever is first', async () => {
    for (const order of ['settle first', 'take back first'] as const) {
      const item = await addItem(db.pool);
      const [caseId, userId] = [await addCase(db.pool, item), await reviewer()];
      const { submissionId } = await send(db.pool, caseId, userId, { verdict: 'allow' });
      const back = () => takeBack(db.pool, { submissionId, userId });
      const settle = async () => {
        await makeDue(db.pool, submissionId);
        return settleSubmission(db.pool, submissionId);
      };
      if (order === 'settle first') {
        const settled = await settle();
        expect([settled.outcome, refusal(await back())]).toEqual(['effective', 'already_decided']);
      } else {
        value(await back());
        expect(await settle()).toEqual({ outcome: 'nothing' });
      }
      const { rows } = await db.pool.query('SELECT 1 FROM review WHERE case_id = $1', [caseId]);
      expect([rows.length, (await stateOf(db.pool, item)).version]).toEqual(order === 'settle first' ? [1, 1] : [0, 0]);
    }
  });

  test('that meets the settling of the same submission leaves one outcome', async () => {
    for (const turn of [0, 1]) {
      const item = await addItem(db.pool);
      const [caseId, userId] = [await addCase(db.pool, item), await reviewer()];
      const { submissionId } = await send(db.pool, caseId, userId, { verdict: 'allow' });
      await makeDue(db.pool, submissionId);
      const acts = [
        () => takeBack(db.pool, { submissionId, userId }),
        () => settleSubmission(db.pool, submissionId),
      ] as const;
      const both = await meet<readonly unknown[]>(db.pool, { caseId }, turn === 0 ? acts : [acts[1], acts[0]]);
      expect(both[turn === 0 ? 0 : 1]).toMatchObject({ refusal: 'already_decided' });
      expect(both[turn === 0 ? 1 : 0]).toMatchObject({ outcome: 'effective' });
    }
  });
});

test('a reviewer’s allow does not overrule what a moderator has asked for', async () => {
  const item = await addItem(db.pool);
  const other = `desk-test@1` as const;
  const moderator = await addUser(db.pool, 'moderator');
  const first = await addCase(db.pool, item, { policyVersion: 'other@1', kind: 'exception' });
  expect((await review(db.pool, first, moderator, { verdict: 'restrict', reasonCode: 'other' })).outcome).toBe(
    'effective',
  );
  const second = await addCase(db.pool, item, { policyVersion: other });
  const me = await reviewer();
  const { token } = value(await claimCase(db.pool, { caseId: second, userId: me }));
  const sent = await submitReview(db.pool, { caseId: second, token, userId: me, ...said({ verdict: 'allow' }) });
  expect(sent).toMatchObject({ refusal: 'outranked', detail: { rank: 'moderator' } });
});

test('a proposal of the policy does not stand in the way of a reviewer', async () => {
  const item = await addItem(db.pool);
  await addProposal(db.pool, item, { policyVersion: 'other@2' });
  const caseId = await addCase(db.pool, item);
  expect((await review(db.pool, caseId, await reviewer(), { verdict: 'allow' })).outcome).toBe('effective');
  const { rows } = await db.pool.query('SELECT state, closed_as FROM enforcement_action WHERE content_id = $1', [
    item.contentId,
  ]);
  expect(rows).toEqual([{ state: 'withdrawn', closed_as: 'newer_record' }]);
});
