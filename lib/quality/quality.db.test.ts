import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { approveAction } from '../enforcement/approve.db.ts';
import { rejectToReview } from '../review/back-to-review.db.ts';
import { rejectAndRelease } from '../review/release.db.ts';
import {
  addCase,
  addItem,
  addProposal,
  addUser,
  type Item,
  POLICY,
  review,
  setUpDesk,
  value,
} from '../review/testing/desk.db.ts';
import { disagreements, type LabelQuality, qualityChoices, versionQuality } from './quality.db.ts';

let database: TestDatabase;
let reviewer: string;
let moderator: string;
beforeAll(async () => {
  database = await testDatabase();
  await setUpDesk(database.pool);
  reviewer = await addUser(database.pool, 'reviewer');
  moderator = await addUser(database.pool, 'moderator');
});
afterAll(() => database.close());

async function quality(source: string | null = null) {
  const found = await versionQuality(database.pool, { policyVersion: POLICY, source });
  if (!found) throw new Error('no such version');
  const of = (label: string) => found.labels.find((one) => one.label === label) as LabelQuality;
  return { ...found, of };
}

/** A case whose decision flags harassment, decided by the reviewer. */
async function reviewed(
  labels: readonly string[],
  verdict: 'allow' | 'restrict' = 'allow',
  source = 'backfill',
): Promise<Item> {
  const item = await addItem(database.pool, { source });
  await review(database.pool, await addCase(database.pool, item), reviewer, { verdict, labels });
  return item;
}

test('before anybody has reviewed, a label has 0 of 0 and stands in the order of the policy', async () => {
  const { labels } = await quality();
  expect(labels.map((one) => [one.label, one.flagged, one.reviewed, one.named])).toEqual([
    ['harassment', 0, 0, 0],
    ['hate', 0, 0, 0],
    ['spam', 0, 0, 0],
  ]);
  expect(await versionQuality(database.pool, { policyVersion: 'nothing@1', source: null })).toBeNull();
});

test('precision counts reviews that name the label among reviews of decisions that were flagged for it', async () => {
  await reviewed(['harassment']);
  await reviewed(['harassment', 'hate'], 'restrict');
  await reviewed([]);
  await addCase(database.pool, await addItem(database.pool)); // flagged, reviewed by nobody
  const { of, agreement, decisions } = await quality();
  expect(of('harassment')).toMatchObject({ flagged: 4, reviewed: 3, named: 2 });
  // Named by a person where the machine had not flagged it: recall may ask for it, precision does not.
  expect(of('hate')).toMatchObject({ flagged: 0, reviewed: 0, named: 0 });
  expect(decisions).toBe(4);
  expect(new Set(agreement)).toEqual(
    new Set([
      { machine: 'review', person: 'allow', count: 2 },
      { machine: 'review', person: 'restrict', count: 1 },
      { machine: 'review', person: null, count: 1 },
    ]),
  );
});

test('a source is counted alone, and all sources together', async () => {
  await reviewed(['harassment'], 'allow', 'live');
  expect((await quality('live')).of('harassment')).toMatchObject({ flagged: 1, reviewed: 1, named: 1 });
  expect((await quality('documents')).of('harassment')).toMatchObject({ flagged: 0 });
  expect((await quality()).of('harassment')).toMatchObject({ flagged: 5, reviewed: 4, named: 3 });
});

test('an exception has no machine opinion: its review counts for no label', async () => {
  const before = (await quality()).of('harassment');
  const item = await addItem(database.pool);
  const caseId = await addCase(database.pool, item, { kind: 'exception' });
  await review(database.pool, caseId, reviewer, { verdict: 'allow', labels: ['harassment'] });
  expect((await quality()).of('harassment')).toEqual(before);
});

test("a proposal by the policy is approved, rejected or waiting; one by a person is not the policy's", async () => {
  const { pool } = database;
  const propose = async () => addProposal(pool, await addItem(pool));
  value(await approveAction(pool, { actionId: await propose(), userId: moderator, revision: '1' }));
  value(
    await rejectAndRelease(pool, {
      actionId: await propose(),
      userId: moderator,
      revision: '1',
      reasonCode: 'not_a_violation',
      note: null,
    }),
  );
  await propose();
  await reviewed(['harassment'], 'restrict'); // a person's proposal
  const { of } = await quality();
  expect(of('hate')).toMatchObject({
    flagged: 3,
    reviewed: 0,
    proposals: { waiting: 1, approved: 1, rejected: 1, withdrawn: 0 },
  });
  expect(of('harassment').proposals).toEqual({ waiting: 0, approved: 0, rejected: 0, withdrawn: 0 });
});

test('a decision that is reviewed again counts once, as its last review says', async () => {
  const { pool } = database;
  const item = await addItem(pool);
  const action = await addProposal(pool, item);
  const before = (await quality()).of('hate');
  const back = value(
    await rejectToReview(pool, {
      actionId: action,
      userId: moderator,
      revision: '1',
      reasonCode: 'not_a_violation',
      note: null,
    }),
  );
  await review(pool, back.caseId as string, reviewer, { verdict: 'restrict', labels: ['hate'] });
  expect((await quality()).of('hate')).toMatchObject({ reviewed: before.reviewed + 1, named: before.named + 1 });
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM enforcement_action WHERE content_id = $1 AND state = 'proposed'",
    [item.contentId],
  );
  const again = value(
    await rejectToReview(pool, {
      actionId: rows[0]?.id as string,
      userId: moderator,
      revision: '1',
      reasonCode: 'not_a_violation',
      note: null,
    }),
  );
  await review(pool, again.caseId as string, await addUser(pool, 'reviewer'), { verdict: 'allow', labels: [] });
  expect((await quality()).of('hate')).toMatchObject({ reviewed: before.reviewed + 1, named: before.named });
});

test('examples are the newest reviews that do not name what the machine had flagged', async () => {
  const item = await reviewed(['hate'], 'allow', 'documents');
  await reviewed(['harassment'], 'allow', 'documents');
  const found = await disagreements(database.pool, { policyVersion: POLICY, source: 'documents', limit: 5 });
  expect(found).toEqual([
    {
      contentId: item.contentId,
      revision: '1',
      machine: 'review',
      person: 'allow',
      labels: ['hate'],
      label: 'harassment',
      score: 0.7,
      at: expect.any(Date),
    },
  ]);
});

test('only versions that were run are offered', async () => {
  expect((await qualityChoices(database.pool)).versions).toEqual([]);
  expect((await qualityChoices(database.pool)).sources).toEqual(['backfill', 'documents', 'live']);
});
