import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROLES } from '../access/roles.ts';
import { CONTENT_STATUSES, ENFORCEMENTS, outranks, RANKS, type StatusState, sameState } from '../content/status.ts';
import {
  type Judgement,
  judgeReview,
  mayReview,
  REVIEW_VERDICTS,
  type ReviewFacts,
  rankOf,
  standingRank,
} from './judge.ts';

const facts = (changes: Partial<ReviewFacts> = {}): ReviewFacts => ({
  mode: 'hold',
  tier: 'reviewer',
  caseRevision: '1',
  content: { status: 'held', rank: 'policy', action: null, currentRevision: '1' },
  standing: null,
  role: 'reviewer',
  verdict: 'allow',
  ...changes,
});
const content = (status: StatusState['status'], rank: StatusState['rank'] = 'policy') => ({
  status,
  rank,
  action: status === 'restricted' ? ('hide' as const) : null,
  currentRevision: '1',
});
const answer = (changes: Partial<ReviewFacts>): string => {
  const judged = judgeReview(facts(changes));
  if (!judged.ok) return judged.refusal;
  const { next, action, event } = judged.value;
  return `${next.status} by ${next.rank}, ${action}, ${event}`;
};

describe('an allow', () => {
  test.each([
    ['pending', 'published by reviewer, none, content.published'],
    ['held', 'published by reviewer, none, content.published'],
    ['published', 'published by reviewer, none, content.reviewed'],
    ['removed', 'removed'],
  ] as const)('of a %s item gives: %s', (status, expected) => {
    expect(answer({ content: content(status) })).toBe(expected);
  });

  test('of a restricted item reverses the applied action where the rank permits', () => {
    const standing = { state: 'applied', rank: 'moderator' } as const;
    expect(answer({ content: content('restricted', 'moderator'), standing, role: 'moderator' })).toBe(
      'published by moderator, reverse, content.restored',
    );
    expect(answer({ content: content('restricted', 'moderator'), standing })).toBe('outranked');
  });

  test('withdraws what an equal or lower rank has asked for, and is outranked by what a higher one has', () => {
    const asked = (rank: StatusState['rank']) => answer({ standing: { state: 'proposed', rank } });
    expect(RANKS.map((rank) => [rank, asked(rank)])).toEqual([
      ['policy', 'published by reviewer, withdraw, content.published'],
      ['reviewer', 'published by reviewer, withdraw, content.published'],
      ['moderator', 'outranked'],
      ['owner', 'outranked'],
    ]);
  });
});

describe('a restrict', () => {
  test.each([
    ['pending', 'held by policy, propose, content.held'],
    ['held', 'held by policy, propose, content.reviewed'],
    ['published', 'published by policy, propose, content.reviewed'],
    ['restricted', 'restricted by policy, keep, content.reviewed'],
    ['removed', 'removed'],
  ] as const)('of a %s item gives: %s', (status, expected) => {
    const standing = status === 'restricted' ? ({ state: 'applied', rank: 'moderator' } as const) : null;
    expect(answer({ content: content(status), standing, verdict: 'restrict' })).toBe(expected);
  });

  test('replaces a standing proposal of no higher rank, and keeps what is approved or asked for from above', () => {
    const restrict = (standing: ReviewFacts['standing']) => answer({ standing, verdict: 'restrict' }).split(', ')[1];
    expect(restrict({ state: 'proposed', rank: 'policy' })).toBe('replace');
    expect(restrict({ state: 'proposed', rank: 'reviewer' })).toBe('replace');
    expect(restrict({ state: 'proposed', rank: 'owner' })).toBe('keep');
    expect(restrict({ state: 'approved', rank: 'moderator' })).toBe('keep');
  });
});

test('a case of the moderators is for moderators and the owner; managers decide no content', () => {
  expect(ROLES.map((role) => [role, mayReview(role, 'reviewer'), mayReview(role, 'moderator'), rankOf(role)])).toEqual([
    ['reviewer', true, false, 'reviewer'],
    ['moderator', true, true, 'moderator'],
    ['manager', false, false, null],
    ['owner', true, true, 'owner'],
  ]);
  expect(answer({ tier: 'moderator' })).toBe('role_changed');
  expect(answer({ role: 'manager' })).toBe('role_changed');
});

test('an action stands with the rank it was proposed with, and once approved at least with a moderator’s', () => {
  expect(standingRank('proposed', null)).toBe('policy');
  expect(standingRank('proposed', 'reviewer')).toBe('reviewer');
  expect(standingRank('approved', 'reviewer')).toBe('moderator');
  expect(standingRank('approved', 'owner')).toBe('owner');
});

const anyState = fc
  .record({
    status: fc.constantFrom(...CONTENT_STATUSES),
    rank: fc.constantFrom(...RANKS),
    action: fc.constantFrom(...ENFORCEMENTS),
  })
  .map((one): StatusState => ({ ...one, action: one.status === 'restricted' ? one.action : null }));
const anyFacts: fc.Arbitrary<ReviewFacts> = fc
  .record({
    mode: fc.constantFrom('record', 'hold', 'enforce'),
    tier: fc.constantFrom('reviewer', 'moderator'),
    caseRevision: fc.constantFrom('1', '2'),
    state: anyState,
    standing: fc.option(fc.record({ state: fc.constantFrom('proposed', 'approved'), rank: fc.constantFrom(...RANKS) })),
    role: fc.constantFrom(...ROLES),
    verdict: fc.constantFrom(...REVIEW_VERDICTS),
  })
  .map(({ state, standing, ...rest }) => ({
    ...rest,
    content: { ...state, currentRevision: '1' },
    standing: state.status === 'restricted' ? { state: 'applied', rank: 'moderator' } : standing,
  }));
const whenJudged = (rule: (judged: Judgement, given: ReviewFacts) => void) =>
  fc.assert(
    fc.property(anyFacts, (given) => {
      const judged = judgeReview(given);
      if (judged.ok) rule(judged.value, given);
    }),
    { numRuns: 2_000 },
  );

describe('whatever the facts', () => {
  test('nobody writes over a higher rank', () => {
    whenJudged((judged, given) => {
      const same = sameState(judged.next, given.content);
      const mine = rankOf(given.role);
      if (!same && judged.next.status !== 'held') expect(mine && outranks(given.content.rank, mine)).toBe(false);
      expect(outranks(given.content.rank, judged.next.rank)).toBe(false);
    });
  });

  test('removed is final', () => {
    whenJudged((_, given) => expect(given.content.status).not.toBe('removed'));
  });

  test('a revision that is no longer current is decided by nobody', () => {
    whenJudged((_, given) => expect(given.caseRevision).toBe('1'));
  });

  test('record mode changes no status, sets no rank and touches no action', () => {
    whenJudged((judged, given) => {
      if (given.mode !== 'record') return;
      expect(sameState(judged.next, given.content)).toBe(true);
      expect([judged.action, judged.event]).toEqual(['none', 'content.reviewed']);
    });
  });

  test('no review restricts anything, and only an allow publishes', () => {
    whenJudged((judged, given) => {
      if (judged.next.status === 'restricted') expect(given.content.status).toBe('restricted');
      if (judged.next.status === 'published' && given.content.status !== 'published') {
        expect(given.verdict).toBe('allow');
      }
    });
  });

  test('what a restrict leaves held has an action that waits for a moderator', () => {
    whenJudged((judged, given) => {
      if (given.mode === 'record' || given.verdict !== 'restrict' || judged.next.status !== 'held') return;
      expect(['propose', 'replace', 'keep']).toContain(judged.action);
      if (judged.action === 'keep') expect(given.standing).not.toBeNull();
    });
  });

  test('an allow leaves no action standing', () => {
    whenJudged((judged, given) => {
      if (given.mode === 'record' || given.verdict !== 'allow') return;
      expect(['none', 'withdraw', 'reverse']).toContain(judged.action);
      expect(judged.action === 'none').toBe(given.standing === null);
    });
  });

  test('the event says what changed', () => {
    whenJudged((judged, given) => {
      expect(judged.event === 'content.reviewed').toBe(judged.next.status === given.content.status);
    });
  });
});
