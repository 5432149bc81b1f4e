import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { caseView } from './case-view.db.ts';
import { type Claim, claimCase, claimNext, heartbeat, releaseClaim } from './claim.db.ts';
import { readDraft, saveDraft } from './drafts.db.ts';
import { listQueue, queueCounts } from './queue.db.ts';
import { deferCase, escalateCase, notSure, skipCase } from './step-aside.db.ts';
import { sweepClaims } from './sweep.db.ts';
import {
  addCase,
  addItem,
  addUser,
  arrive,
  expireClaim,
  refusal,
  review,
  send,
  setRole,
  setUpDesk,
  value,
} from './testing/desk.db.ts';
import { meet } from './testing/gate.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase({ max: 25 });
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

/** Every test has the queue to itself: what the one before left is decided or out of sight. */
beforeEach(async () => {
  await db.pool.query("DELETE FROM submission WHERE state <> 'effective'");
  await db.pool.query("DELETE FROM review_case WHERE state <> 'closed'");
});

const newCase = async (wish = {}) => addCase(db.pool, await addItem(db.pool), wish);
const claim = (caseId: string, userId: string, prefetch = false) => claimCase(db.pool, { caseId, userId, prefetch });
const next = (userId: string, prefetch = false) => claimNext(db.pool, { userId, queue: 'review', prefetch });
const reviewer = () => addUser(db.pool, 'reviewer');

describe('a claim', () => {
  test('holds a case for one person, and tells others who holds it', async () => {
    const [me, other, caseId] = [await reviewer(), await reviewer(), await newCase()];
    const mine = value(await claim(caseId, me));
    expect(mine.expiresAt.getTime()).toBeGreaterThan(Date.now());
    expect(await claim(caseId, other)).toMatchObject({ refusal: 'claimed_by_other', detail: { by: me } });
    expect((await caseView(db.pool, caseId))?.case.claim?.userId).toBe(me);
  });

  test('of another tab of the same person has a token of its own, and the first tab has lost the case', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    const first = value(await claim(caseId, me));
    const second = value(await claim(caseId, me));
    expect(second.token).not.toBe(first.token);
    expect(refusal(await heartbeat(db.pool, { caseId, token: first.token, userId: me }))).toBe('claim_lost');
    expect(refusal(await skipCase(db.pool, { caseId, token: first.token, userId: me }))).toBe('claim_lost');
    expect(refusal(await heartbeat(db.pool, { caseId, token: second.token, userId: me }))).toBe('ok');
  });

  test('ends by the database’s clock: then others may claim it and the token holds no more', async () => {
    const [me, other, caseId] = [await reviewer(), await reviewer(), await newCase()];
    const mine = value(await claim(caseId, me));
    await expireClaim(db.pool, caseId);
    const held = { caseId, token: mine.token, userId: me };
    expect(refusal(await heartbeat(db.pool, held))).toBe('claim_lost');
    expect(refusal(await releaseClaim(db.pool, held))).toBe('claim_lost');
    expect(refusal(await claim(caseId, other))).toBe('ok');
  });

  test('that expired is swept back into the queue, with an event', async () => {
    const caseId = await newCase();
    value(await claim(caseId, await reviewer()));
    await expireClaim(db.pool, caseId);
    expect(await sweepClaims(db.pool)).toBe(1);
    expect(await sweepClaims(db.pool)).toBe(0);
    const view = await caseView(db.pool, caseId);
    expect([view?.case.state, view?.events.map((event) => event.kind)]).toEqual([
      'open',
      ['opened', 'claimed', 'expired'],
    ]);
  });

  test('is renewed by a heartbeat, and with it what is held for later', async () => {
    const me = await reviewer();
    const [reading, later] = [await newCase(), await newCase()];
    const mine = value(await claim(reading, me));
    value(await claim(later, me, true));
    await db.pool.query("UPDATE review_case SET claim_expires_at = clock_timestamp() + interval '1 second'");
    const renewed = value(await heartbeat(db.pool, { caseId: reading, token: mine.token, userId: me }));
    const { rows } = await db.pool.query<{ claim_expires_at: Date }>(
      'SELECT claim_expires_at FROM review_case WHERE id = $1',
      [later],
    );
    expect(rows[0]?.claim_expires_at.getTime()).toBeGreaterThanOrEqual(renewed.expiresAt.getTime());
  });

  test('is for one case at a time and two more for later', async () => {
    const me = await reviewer();
    const ids = [await newCase(), await newCase(), await newCase(), await newCase(), await newCase()] as const;
    value(await claim(ids[0], me));
    expect(await claim(ids[1], me)).toMatchObject({ refusal: 'claim_limit', detail: { case: ids[0] } });
    value(await claim(ids[1], me, true));
    value(await claim(ids[2], me, true));
    expect(refusal(await claim(ids[3], me, true))).toBe('claim_limit');
    expect(refusal(await next(me, true))).toBe('claim_limit');
  });

  test('for later does not show as being read', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    value(await claim(caseId, me, true));
    expect((await listQueue(db.pool, { queue: 'review' })).items[0]?.reader).toBeNull();
    value(await claim(caseId, me));
    expect((await listQueue(db.pool, { queue: 'review' })).items[0]?.reader?.id).toBe(me);
  });

  test('is refused for a role that may not review the case, read at the moment of the claim', async () => {
    const [me, caseId] = [await reviewer(), await newCase({ tier: 'moderator' })];
    expect(refusal(await claim(caseId, me))).toBe('role_changed');
    await setRole(db.pool, me, 'moderator');
    expect(refusal(await claim(caseId, me))).toBe('ok');
    expect(refusal(await claim(await newCase(), await addUser(db.pool, 'manager')))).toBe('role_changed');
  });

  test('is refused on a revision that is no longer current, and on a case that is decided', async () => {
    const item = await addItem(db.pool);
    const stale = await addCase(db.pool, item);
    await arrive(db.pool, item, '2');
    expect(refusal(await claim(stale, await reviewer()))).toBe('stale_revision');
    const [decided, other] = [await newCase(), await reviewer()];
    await review(db.pool, decided, other, { verdict: 'allow' });
    expect(await claim(decided, await reviewer())).toMatchObject({
      refusal: 'already_decided',
      detail: { by: other, verdict: 'allow', role: 'reviewer', closed_as: 'reviewed' },
    });
  });

  test('of no case, of a case that is on its way, and with no sensible id are refused', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    await send(db.pool, caseId, await reviewer(), { verdict: 'allow' });
    expect(refusal(await claim(caseId, me))).toBe('already_decided');
    expect(refusal(await claim('11111111-1111-4111-8111-111111111111', me))).toBe('not_found');
    expect(refusal(await claim("'; DROP TABLE review_case; --", me))).toBe('not_found');
  });
});

describe('the next case', () => {
  test.each([
    ['somebody else has', 'claimed_by = $2, claim_token = gen_random_uuid()'],
    [
      'the system has closed',
      `state = 'closed', closed_at = now(), closed_as = 'withdrawn', claimed_by = NULL,
      claim_token = NULL, claim_expires_at = NULL, label = $2`,
    ],
  ])('is never one held for later that %s at that very moment', async (_name, change) => {
    const [me, other, caseId] = [await reviewer(), await reviewer(), await newCase()];
    value(await claim(caseId, me, true));
    const taken = (holder: Pick<typeof db.pool, 'query'>) =>
      holder.query(`UPDATE review_case SET ${change} WHERE id = $1`, [caseId, other]);
    const [came] = await meet(db.pool, taken, [() => next(me)]);
    expect(refusal(came)).toBe('queue_empty');
    expect((await caseView(db.pool, caseId))?.case.claim?.userId).not.toBe(me);
  });

  test('is the oldest that is free', async () => {
    const ids = [await newCase(), await newCase()];
    expect(value(await next(await reviewer())).caseId).toBe(ids[0]);
    expect(value(await next(await reviewer())).caseId).toBe(ids[1]);
    expect(refusal(await next(await reviewer()))).toBe('queue_empty');
  });

  test('is first the one that is held for later', async () => {
    const me = await reviewer();
    const [first, second, third] = [await newCase(), await newCase(), await newCase()];
    const reading = value(await claim(first, me));
    value(await claim(third, me, true));
    await releaseClaim(db.pool, { caseId: first, token: reading.token, userId: me });
    const promoted = value(await next(me));
    expect([promoted.caseId, promoted.prefetched]).toEqual([third, false]);
    expect(value(await next(me, true)).caseId).toBe(first);
    expect(value(await next(me, true)).caseId).toBe(second);
  });

  test('comes from the queue that was asked for', async () => {
    const [failed, escalated] = [await newCase({ kind: 'exception' }), await newCase({ tier: 'moderator' })];
    const moderator = await addUser(db.pool, 'moderator');
    expect(refusal(await next(moderator))).toBe('queue_empty');
    expect(refusal(await claimNext(db.pool, { userId: await reviewer(), queue: 'moderator' }))).toBe('role_changed');
    expect(value(await claimNext(db.pool, { userId: moderator, queue: 'moderator' })).caseId).toBe(escalated);
    expect(value(await claimNext(db.pool, { userId: await reviewer(), queue: 'failed' })).caseId).toBe(failed);
  });

  test('is never given to two of twenty who ask at once', async () => {
    const ids = await Promise.all(Array.from({ length: 15 }, () => newCase()));
    const people = await Promise.all(Array.from({ length: 20 }, () => reviewer()));
    const claims = await Promise.all(people.map((userId) => next(userId)));
    const given = claims.filter((one): one is { ok: true; value: Claim } => one.ok).map((one) => one.value.caseId);
    expect(given.sort()).toEqual(ids.sort());
    expect(claims.filter((one) => !one.ok).map(refusal)).toEqual(Array(5).fill('queue_empty'));
  });

  test('is given once to one person who asks twenty times at once', async () => {
    const me = await reviewer();
    await Promise.all(Array.from({ length: 20 }, () => newCase()));
    const claims = await Promise.all(Array.from({ length: 20 }, () => next(me)));
    expect(claims.map(refusal).sort()).toEqual([...Array(19).fill('claim_limit'), 'ok']);
  });

  test('passes by what the person skipped until nothing else is left; others get it at once', async () => {
    const [me, other] = [await reviewer(), await reviewer()];
    const [first, second] = [await newCase(), await newCase()];
    value(await skipCase(db.pool, { ...value(await next(me)), userId: me }));
    expect(value(await next(other)).caseId).toBe(first);
    value(await releaseClaim(db.pool, { ...value(await claim(first, other)), userId: other }));
    value(await notSure(db.pool, { ...value(await next(me)), userId: me }));
    expect((await caseView(db.pool, second))?.events.at(-1)?.kind).toBe('not_sure');
    expect(value(await next(me)).caseId).toBe(first);
  });

  test('is not one that is deferred, until its time has come', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    value(await deferCase(db.pool, { ...value(await next(me)), userId: me, forMs: 3_600_000 }));
    expect(refusal(await next(me))).toBe('queue_empty');
    expect((await queueCounts(db.pool)).review.count).toBe(0);
    await db.pool.query("UPDATE review_case SET not_before = clock_timestamp() - interval '1 second' WHERE id = $1", [
      caseId,
    ]);
    expect(value(await next(me)).caseId).toBe(caseId);
  });
});

describe('an escalation', () => {
  test('acts at once: the moderators have the case, with reason and note', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    value(await saveDraft(db.pool, { caseId, userId: me, text: 'Half a' }));
    const held = { ...value(await claim(caseId, me)), userId: me };
    value(await escalateCase(db.pool, { ...held, reasonCode: 'legal', note: 'Half a thought.' }));
    const view = await caseView(db.pool, caseId);
    expect([view?.case.tier, view?.case.state, view?.case.escalationReason]).toEqual(['moderator', 'open', 'legal']);
    expect(view?.events.at(-1)).toMatchObject({
      kind: 'escalated',
      note: 'Half a thought.',
      data: { reason: 'legal' },
    });
    expect(await readDraft(db.pool, { caseId, userId: me })).toBeNull();
    expect(refusal(await claim(caseId, me))).toBe('role_changed');
    const items = (await listQueue(db.pool, { queue: 'moderator' })).items;
    expect(items.map((one) => [one.caseId, one.escalationReason])).toEqual([[caseId, 'legal']]);
  });

  test('needs a known reason and a claim, and else keeps the note as a draft', async () => {
    const [me, caseId] = [await reviewer(), await newCase()];
    const held = { ...value(await claim(caseId, me)), userId: me };
    const refusals = [
      await escalateCase(db.pool, { ...held, reasonCode: null, note: 'One.' }),
      await escalateCase(db.pool, { ...held, reasonCode: 'nonsense', note: 'Two.' }),
      await escalateCase(db.pool, { ...held, token: caseId, reasonCode: 'legal', note: 'Two.' }),
    ];
    expect(refusals.map(refusal)).toEqual(['reason_required', 'unknown_reason', 'claim_lost']);
    expect((await readDraft(db.pool, { caseId, userId: me }))?.text).toBe('One.\n\nTwo.');
    expect((await caseView(db.pool, caseId))?.case.tier).toBe('reviewer');
  });
});

describe('two who reach for one case', () => {
  test('get it one after the other: the second is told who holds it', async () => {
    const [first, second, caseId] = [await reviewer(), await reviewer(), await newCase()];
    const claims = await meet(db.pool, { caseId }, [() => claim(caseId, first), () => claim(caseId, second)]);
    expect(claims.map(refusal)).toEqual(['ok', 'claimed_by_other']);
  });
});

describe('a queue', () => {
  test('counts exactly what its pages list, whatever the state of its cases', async () => {
    const item = await addItem(db.pool);
    await addCase(db.pool, item);
    await arrive(db.pool, item, '2');
    const ids = await Promise.all(Array.from({ length: 12 }, () => newCase()));
    const [me, other] = [await reviewer(), await reviewer()];
    value(await deferCase(db.pool, { ...value(await claim(String(ids[0]), me)), userId: me, forMs: 60_000 }));
    await review(db.pool, String(ids[1]), me, { verdict: 'allow' });
    await send(db.pool, String(ids[2]), me, { verdict: 'allow' });
    value(await claim(String(ids[3]), other));
    const listed: string[] = [];
    let after: string | null = null;
    do {
      const page = await listQueue(db.pool, { queue: 'review', after, limit: 4 });
      listed.push(...page.items.map((one) => one.caseId));
      after = page.next;
    } while (after !== null);
    expect([...listed].sort()).toEqual(ids.slice(3).sort());
    const { review: count } = await queueCounts(db.pool);
    expect(count.count).toBe(listed.length);
    expect(count.oldestAt).toEqual((await caseView(db.pool, String(listed[0])))?.case.openedAt);
  });
});
