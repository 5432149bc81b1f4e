import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pool } from '../db/pool.db.ts';
import { testDatabase } from '../db/testing.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import { applyApproved, approveAction } from '../enforcement/approve.db.ts';
import { rejectToReview } from './back-to-review.db.ts';
import { type Claim, claimCase, claimNext } from './claim.db.ts';
import { rejectAndRelease } from './release.db.ts';
import { reverseRecord } from './reverse.db.ts';
import { settleSubmission } from './settle.db.ts';
import { escalateCase, skipCase } from './step-aside.db.ts';
import { submitReview, takeBack } from './submit.db.ts';
import { sweepClaims, sweepSuperseded } from './sweep.db.ts';
import {
  addCase,
  addItem,
  addUser,
  arrive,
  expireClaim,
  type Item,
  makeDue,
  said,
  setEnforcement,
  setUpDesk,
  stateOf,
} from './testing/desk.db.ts';
import { BROKEN } from './testing/invariants.sql.ts';

/**
 * Several people act on a few items in any order, with sweeps and arrivals between. Whatever they try, and whatever is
 * refused, no promise of states.md is ever broken.
 */

type World = {
  readonly pool: Pool;
  readonly people: readonly string[];
  readonly items: readonly { item: Item; revision: number }[];
  readonly cases: string[];
  readonly claims: Map<string, { claim: Claim; revision: string }>;
  readonly sent: { submissionId: string; userId: string }[];
};

/** Walks in a test run; more by DOCKET_TEST_WALKS, as after a change of the rules. */
const RUNS = Number(process.env.DOCKET_TEST_WALKS ?? 10);

const WHAT = [
  'claim',
  'claimNext',
  'prefetch',
  'allow',
  'restrict',
  'skip',
  'escalate',
  'takeBack',
  'settle',
  'approve',
  'release',
  'sendBack',
  'reverse',
  'arrive',
  'expire',
  'sweep',
  'closeEnforcement',
  'openEnforcement',
] as const;
/** Reviews are made of three steps in a row, so these come up more often. */
const OFTEN = ['claim', 'claimNext', 'allow', 'restrict', 'settle', 'approve', 'reverse'] as const;
/** Whoever may decide on actions and records does so more often than those who may not. */
const DECIDERS = [2, 3, 4, 4, 3, 0];
const step = fc.record({ what: fc.constantFrom(...WHAT, ...OFTEN, ...OFTEN), who: fc.nat(5), on: fc.nat(7) });
/** Where a walk may begin: nothing has happened; a proposal; an applied action; a reversal. Each goes on from the last. */
const STORY: readonly Step[] = [
  { what: 'claim', who: 0, on: 2 },
  { what: 'restrict', who: 0, on: 0 },
  { what: 'settle', who: 0, on: 0 },
  { what: 'approve', who: 0, on: 1 },
  { what: 'reverse', who: 2, on: 1 },
];
const walk = fc
  .record({ begun: fc.constantFrom(0, 3, 4, 5), steps: fc.array(step, { minLength: 40, maxLength: 80 }) })
  .map(({ begun, steps }) => ({ begun: STORY.slice(0, begun), steps }));
type Step = { readonly what: (typeof WHAT)[number]; readonly who: number; readonly on: number };

async function makeWorld(pool: Pool): Promise<World> {
  const roles = ['reviewer', 'reviewer', 'moderator', 'moderator', 'owner', 'manager'] as const;
  const people = await Promise.all(roles.map((role) => addUser(pool, role)));
  const items = [
    await addItem(pool, { source: 'backfill', status: 'published' }),
    await addItem(pool, { source: 'live', status: 'held' }),
  ];
  const cases: string[] = [];
  for (const item of items) {
    cases.push(await addCase(pool, item));
    cases.push(await addCase(pool, item, { policyVersion: 'other@1', kind: 'exception' }));
  }
  await setEnforcement(pool, 'live', true);
  return {
    pool,
    people,
    items: items.map((item) => ({ item, revision: 1 })),
    cases,
    claims: new Map(),
    sent: [],
  };
}

const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % from.length];

async function act(world: World, { what, who, on }: Step): Promise<unknown> {
  const { pool } = world;
  const decides = what === 'approve' || what === 'release' || what === 'sendBack' || what === 'reverse';
  const userId = pick(world.people, decides ? (DECIDERS[who] ?? 0) : who) ?? '';
  const place = pick(world.items, on);
  if (!place) throw new Error('no item');
  const { item } = place;
  const caseId = pick(world.cases, on) ?? '';
  const held = world.claims.get(userId);
  const standing = (await activeActions(pool, [item.contentId])).get(item.contentId);
  const decision = standing && {
    actionId: standing.id,
    userId,
    revision: standing.revision,
    reasonCode: 'other',
    note: null,
  };
  const sent = pick(world.sent.slice(-2), on);
  switch (what) {
    case 'claim':
      return keep(world, userId, await claimCase(pool, { caseId, userId }));
    case 'claimNext':
      return keep(world, userId, await claimNext(pool, { userId, queue: who < 2 ? 'review' : 'moderator' }));
    case 'prefetch':
      return claimCase(pool, { caseId, userId, prefetch: true });
    case 'allow':
    case 'restrict': {
      if (!held) return;
      const review = said({ verdict: what, reasonCode: what === 'allow' ? null : 'other', revision: held.revision });
      const known = { ...review, reasonCode: what === 'allow' ? null : await reasonFor(pool, held.claim.caseId) };
      const result = await submitReview(pool, { ...held.claim, userId, ...known });
      if (result.ok) world.sent.push({ submissionId: result.value.submissionId, userId });
      return result;
    }
    case 'skip':
      return held && skipCase(pool, { ...held.claim, userId });
    case 'escalate':
      return held && escalateCase(pool, { ...held.claim, userId, reasonCode: 'legal', note: null });
    case 'takeBack':
      return sent && takeBack(pool, sent);
    case 'settle':
      if (!sent) return;
      await makeDue(pool, sent.submissionId);
      return settleSubmission(pool, sent.submissionId);
    case 'approve':
      return decision && approveAction(pool, decision);
    case 'release':
      return decision && rejectAndRelease(pool, decision);
    case 'sendBack':
      if (!decision) return;
      return remember(world, await rejectToReview(pool, decision));
    case 'reverse': {
      const { version } = await stateOf(pool, item);
      const request = { contentId: item.contentId, version, userId, reason: 'mistake' };
      return remember(world, await reverseRecord(pool, request));
    }
    case 'arrive': {
      // Rarely: an arrival makes most of what waits worthless.
      if (on > 1) return;
      place.revision++;
      await arrive(pool, item, String(place.revision));
      // As the worker does it: a decision on a new revision of what is held or restricted opens a case.
      return world.cases.push(await addCase(pool, item, { revision: String(place.revision) }));
    }
    case 'expire':
      return expireClaim(pool, caseId);
    case 'sweep':
      await sweepClaims(pool);
      await sweepSuperseded(pool);
      return applyApproved(pool, { limit: 10 });
    case 'closeEnforcement':
      return setEnforcement(pool, 'live', false);
    case 'openEnforcement':
      return setEnforcement(pool, 'live', true);
  }
}

async function keep<T extends { ok: boolean; value?: Claim }>(world: World, userId: string, claimed: T): Promise<T> {
  if (!claimed.ok || !claimed.value) return claimed;
  const found = await world.pool.query<{ revision: string }>('SELECT revision FROM review_case WHERE id = $1', [
    claimed.value.caseId,
  ]);
  world.claims.set(userId, { claim: claimed.value, revision: found.rows[0]?.revision ?? '' });
  return claimed;
}

/** Cases that the acts themselves opened are played on as well. */
function remember<T extends { ok: boolean; value?: { caseId: string | null } }>(world: World, result: T): T {
  if (result.ok && result.value?.caseId) world.cases.push(result.value.caseId);
  return result;
}

async function reasonFor(pool: Pool, caseId: string): Promise<string> {
  const found = await pool.query('SELECT policy_version FROM review_case WHERE id = $1', [caseId]);
  return found.rows[0]?.policy_version === 'desk-test@1' ? 'insult' : 'other';
}

async function expectUnbroken(pool: Pool, after: string): Promise<void> {
  for (const [promise, broken] of Object.entries(BROKEN)) {
    const { rows } = await pool.query(broken);
    expect({ promise, after, rows }).toEqual({ promise, after, rows: [] });
  }
}

test('whatever people try in whatever order, no promise is broken', async () => {
  await fc.assert(
    fc.asyncProperty(walk, async ({ begun, steps }) => {
      const db = await testDatabase();
      try {
        await setUpDesk(db.pool);
        const world = await makeWorld(db.pool);
        // A walk in which everything is refused would prove nothing.
        for (const one of begun) expect([one.what, succeeded(await act(world, one))]).toEqual([one.what, true]);
        for (const one of steps) {
          await act(world, one);
          await expectUnbroken(db.pool, one.what);
        }
      } finally {
        await db.close();
      }
    }),
    { numRuns: RUNS, interruptAfterTimeLimit: 3_000_000 },
  );
}, 3_600_000);

test('the same holds when all of them act at once', async () => {
  const db = await testDatabase({ max: 20 });
  try {
    await setUpDesk(db.pool);
    const world = await makeWorld(db.pool);
    const walks = fc.sample(fc.array(step, { minLength: 40, maxLength: 60 }), 8);
    await Promise.all(
      walks.map(async (steps, walker) => {
        for (const one of steps) {
          // One arrives, since two at once would invent the same revision.
          if (one.what === 'arrive' && walker > 0) continue;
          await act(world, one);
        }
      }),
    );
    await expectUnbroken(db.pool, 'everything');
  } finally {
    await db.close();
  }
}, 240_000);

function succeeded(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  return 'ok' in result ? result.ok === true : 'outcome' in result && result.outcome === 'effective';
}
