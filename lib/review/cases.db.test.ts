import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { decisionId } from '../kernel/keys.ts';
import { CASE_STATES, CASE_STEPS, type CaseState, type CaseStep, caseAfter } from './case-state.ts';
import { closeCases, type NewCase, openCases } from './cases.db.ts';
import { claimCase, releaseClaim } from './claim.db.ts';
import { settleSubmission } from './settle.db.ts';
import { deferCase, escalateCase, notSure, skipCase } from './step-aside.db.ts';
import { submitReview, takeBack } from './submit.db.ts';
import { sweepClaims, sweepSuperseded } from './sweep.db.ts';
import {
  addCase,
  addItem,
  addUser,
  arrive,
  expireClaim,
  type Item,
  inTransaction,
  makeDue,
  POLICY,
  review,
  said,
  send,
  setRole,
  setUpDesk,
  value,
} from './testing/desk.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await setUpDesk(db.pool);
});
afterAll(() => db.close());

const rows = async (statement: string, values: unknown[]) => (await db.pool.query(statement, values)).rows;
const stateOf = async (caseId: string) =>
  (await rows('SELECT state FROM review_case WHERE id = $1', [caseId]))[0].state;

const newCase = (item: Item, changes: Partial<NewCase> = {}): NewCase => ({
  kind: 'decision',
  mode: 'hold',
  content: { ...item, contentType: 'comment' },
  revision: '1',
  decisionId: decisionId(item.contentId, '1', POLICY),
  policyVersion: POLICY,
  runId: null,
  reasonCode: 'review',
  label: 'spam',
  score: 0.5,
  openedBy: `policy:${POLICY}`,
  ...changes,
});
const open = (...cases: NewCase[]) => inTransaction(db.pool, (tx) => openCases(tx, cases));

describe('opening cases', () => {
  test('opens one for each decision, each with its first event; a second for the same decision is none', async () => {
    const [one, two] = [await addItem(db.pool), await addItem(db.pool)];
    const ids = await open(newCase(one), newCase(two), newCase(one));
    expect(ids.length).toBe(2);
    expect(await open(newCase(one), newCase(two))).toEqual([]);
    for (const id of ids) {
      expect(await rows('SELECT kind, actor, data FROM case_event WHERE case_id = $1', [id])).toEqual([
        { kind: 'opened', actor: `policy:${POLICY}`, data: { reason: 'review', mode: 'hold' } },
      ]);
    }
  });

  test('opens another once the first is closed', async () => {
    const item = await addItem(db.pool);
    const [first] = await open(newCase(item));
    await review(db.pool, String(first), await addUser(db.pool, 'reviewer'), { verdict: 'allow' });
    expect((await open(newCase(item, { reasonCode: 'back_to_review' }))).length).toBe(1);
  });

  test('by two at once opens one', async () => {
    const item = await addItem(db.pool);
    const opened = await Promise.all([open(newCase(item)), open(newCase(item)), open(newCase(item))]);
    expect(opened.flat().length).toBe(1);
  });

  test('gives a case that only recorded the effects that are due now, and never takes them away', async () => {
    const item = await addItem(db.pool);
    const [id] = await open(newCase(item, { mode: 'record' }));
    const mode = async () => (await rows('SELECT mode FROM review_case WHERE id = $1', [id]))[0].mode;
    expect(await open(newCase(item))).toEqual([]);
    expect(await mode()).toBe('hold');
    expect(await open(newCase(item, { mode: 'record' }))).toEqual([]);
    expect(await mode()).toBe('hold');
  });
});

describe('closing cases', () => {
  test('closes open ones by id or decision, and leaves what a person holds or has sent', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => addCase(db.pool, await addItem(db.pool))));
    const [byId, byDecision, claimed, submitted] = ids as [string, string, string, string];
    value(await claimCase(db.pool, { caseId: claimed, userId: await addUser(db.pool, 'reviewer') }));
    await send(db.pool, submitted, await addUser(db.pool, 'reviewer'), { verdict: 'allow' });
    const key = (await rows('SELECT decision_id FROM review_case WHERE id = $1', [byDecision]))[0].decision_id;
    const close = () =>
      inTransaction(db.pool, (tx) =>
        closeCases(tx, { caseIds: [byId, claimed, submitted], decisionIds: [key], closedAs: 'requeued', actor: 'cli' }),
      );
    expect((await close()).sort()).toEqual([byId, byDecision].sort());
    expect(await close()).toEqual([]);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['closed', 'closed', 'claimed', 'submitted']);
    expect(
      await rows("SELECT actor, data FROM case_event WHERE case_id = $1 AND kind = 'closed'", [byDecision]),
    ).toEqual([{ actor: 'cli', data: { as: 'requeued' } }]);
  });
});

/** What the table allows is what the acts do, and nothing else. `withdraw` comes with deletions, which are not built. */
describe('the acts on a case', () => {
  type Placed = { item: Item; caseId: string; userId: string; token: string; submissionId: string };

  async function place(state: CaseState): Promise<Placed> {
    const item = await addItem(db.pool);
    const caseId = await addCase(db.pool, item);
    const userId = await addUser(db.pool, 'reviewer');
    const nobody = '11111111-1111-4111-8111-111111111111';
    if (state === 'open') return { item, caseId, userId, token: nobody, submissionId: nobody };
    if (state === 'claimed') {
      const { token } = value(await claimCase(db.pool, { caseId, userId }));
      return { item, caseId, userId, token, submissionId: nobody };
    }
    const sent = await send(db.pool, caseId, userId, { verdict: 'allow' });
    if (state === 'closed') {
      await makeDue(db.pool, sent.submissionId);
      await settleSubmission(db.pool, sent.submissionId);
    }
    return { item, caseId, userId, ...sent };
  }

  const acts: Readonly<Record<Exclude<CaseStep, 'withdraw'>, (placed: Placed) => Promise<unknown>>> = {
    claim: async ({ caseId }) => claimCase(db.pool, { caseId, userId: await addUser(db.pool, 'reviewer') }),
    release: (held) => releaseClaim(db.pool, held),
    expire: async ({ caseId }) => {
      await expireClaim(db.pool, caseId);
      await sweepClaims(db.pool);
    },
    skip: (held) => skipCase(db.pool, held),
    defer: (held) => deferCase(db.pool, { ...held, forMs: 60_000 }),
    not_sure: (held) => notSure(db.pool, held),
    escalate: (held) => escalateCase(db.pool, { ...held, reasonCode: 'legal', note: null }),
    submit: (held) => submitReview(db.pool, { ...held, ...said({ verdict: 'restrict' }) }),
    take_back: (held) => takeBack(db.pool, held),
    refuse: async (held) => {
      await setRole(db.pool, held.userId, 'manager');
      await makeDue(db.pool, held.submissionId).catch(() => {});
      await settleSubmission(db.pool, held.submissionId);
    },
    review: async (held) => {
      await makeDue(db.pool, held.submissionId);
      await settleSubmission(db.pool, held.submissionId);
    },
    supersede: async ({ item }) => {
      await arrive(db.pool, item, '2');
      await sweepSuperseded(db.pool);
    },
    requeue: ({ caseId }) =>
      inTransaction(db.pool, (tx) => closeCases(tx, { caseIds: [caseId], closedAs: 'requeued' })),
  };
  const built = CASE_STEPS.filter((step): step is keyof typeof acts => step !== 'withdraw');
  const table = CASE_STATES.flatMap((state) => built.map((step) => [state, step, caseAfter(state, step)] as const));

  test.each(table)('on a case that is %s: %s gives %s', async (state, step, after) => {
    const placed = await place(state);
    await acts[step](placed);
    expect(await stateOf(placed.caseId)).toBe(after ?? state);
  });
});
