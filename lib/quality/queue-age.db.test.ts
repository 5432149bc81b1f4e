import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { approveAction } from '../enforcement/approve.db.ts';
import { claimCase } from '../review/claim.db.ts';
import { queueCounts } from '../review/queue.db.ts';
import { escalateCase } from '../review/step-aside.db.ts';
import { addCase, addItem, addProposal, addUser, arrive, review, setUpDesk, value } from '../review/testing/desk.db.ts';
import { type QueueAges, queueAges } from './queue-age.db.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await setUpDesk(database.pool);
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;

async function ages(queue: QueueAges['queue']): Promise<QueueAges> {
  const found = (await queueAges(database.pool)).find((one) => one.queue === queue);
  if (!found) throw new Error('a queue is missing');
  return found;
}

/** Cases that were opened so many minutes ago. */
async function casesOfAge(...minutes: number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const age of minutes) {
    const id = await addCase(database.pool, await addItem(database.pool));
    await database.pool.query("UPDATE review_case SET opened_at = now() - $2 * interval '1 minute' WHERE id = $1", [
      id,
      age,
    ]);
    ids.push(id);
  }
  return ids;
}

test('an empty queue has no age, which is not an age of nothing', async () => {
  for (const one of await queueAges(database.pool)) {
    expect(one).toMatchObject({ count: 0, oldestAt: null, oldestMs: null, p50Ms: null, p90Ms: null, p99Ms: null });
  }
});

test('ages are those of cases that are there: the median of ten is the fifth, p99 the oldest', async () => {
  await casesOfAge(10, 20, 30, 40, 50, 60, 70, 80, 90, 1_000);
  const { count, p50Ms, p90Ms, p99Ms, oldestMs } = await ages('review');
  expect(count).toBe(10);
  const minutes = [p50Ms, p90Ms, p99Ms, oldestMs].map((ms) => Math.floor((ms ?? 0) / MINUTE_MS));
  expect(minutes).toEqual([50, 90, 1_000, 1_000]);
});

test('what came in and went out is counted by the hour and the day', async () => {
  const { pool } = database;
  const [first = ''] = await casesOfAge(5);
  await review(pool, first, await addUser(pool, 'reviewer'), { verdict: 'allow' });
  expect((await ages('review')).flow).toEqual({ inHour: 6, outHour: 1, inDay: 11, outDay: 1 });
});

test("an escalated case leaves its queue and enters the moderators', with the age it had", async () => {
  const { pool } = database;
  const before = { review: await ages('review'), moderator: await ages('moderator') };
  const [caseId = ''] = await casesOfAge(45);
  const userId = await addUser(pool, 'reviewer');
  const { token } = value(await claimCase(pool, { caseId, userId }));
  value(await escalateCase(pool, { caseId, token, userId, reasonCode: 'other', note: null }));
  const after = { review: await ages('review'), moderator: await ages('moderator') };
  expect(after.review.count).toBe(before.review.count);
  expect(after.review.flow.outHour).toBe(before.review.flow.outHour + 1);
  expect(after.moderator).toMatchObject({ count: 1, flow: { inHour: 1, outHour: 0 } });
  expect(Math.floor((after.moderator.oldestMs ?? 0) / MINUTE_MS)).toBe(45);
});

test('failed items have a queue of their own', async () => {
  await addCase(database.pool, await addItem(database.pool), { kind: 'exception' });
  expect(await ages('failed')).toMatchObject({ count: 1, flow: { inHour: 1, outHour: 0 } });
});

test('a proposal comes in when it is made and goes out when it is answered', async () => {
  const { pool } = database;
  const moderator = await addUser(pool, 'moderator');
  await addProposal(pool, await addItem(pool));
  const second = await addProposal(pool, await addItem(pool));
  value(await approveAction(pool, { actionId: second, userId: moderator, revision: '1' }));
  expect(await ages('approvals')).toMatchObject({ count: 1, flow: { inHour: 2, outHour: 1 } });
});

test('every queue counts exactly what the desk counts, a superseded case not among it', async () => {
  const { pool } = database;
  const item = await addItem(pool);
  await addCase(pool, item);
  await arrive(pool, item, '2');
  const counts = await queueCounts(pool);
  for (const one of await queueAges(pool)) expect([one.queue, one.count]).toEqual([one.queue, counts[one.queue].count]);
});
