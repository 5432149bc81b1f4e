import { describe, expect, test } from 'vitest';
import { ROLES } from '../access/roles.ts';
import { outranks, RANKS } from '../content/status.ts';
import { ACTION_STATES } from './action-state.ts';
import { type ApprovalFacts, judgeApproval } from './approval.ts';

const facts = (changes: Partial<ApprovalFacts> = {}): ApprovalFacts => ({
  role: 'moderator',
  userId: 'me',
  readRevision: '1',
  action: { state: 'proposed', revision: '1', proposedBy: 'user:other' },
  content: { status: 'held', rank: 'policy', action: null, currentRevision: '1' },
  ...changes,
});
const answer = (changes: Partial<ApprovalFacts>) => {
  const judged = judgeApproval(facts(changes));
  return judged.ok ? judged.value : judged.refusal;
};

describe('deciding on a proposed action', () => {
  test('is for moderators and the owner, each with their own rank', () => {
    expect(ROLES.map((role) => [role, answer({ role })])).toEqual([
      ['reviewer', 'role_changed'],
      ['moderator', 'moderator'],
      ['manager', 'role_changed'],
      ['owner', 'owner'],
    ]);
  });

  test.each(['moderator', 'owner'] as const)('is never for whoever proposed it, also as %s', (role) => {
    const action = { state: 'proposed' as const, revision: '1', proposedBy: 'user:me' };
    expect(answer({ role, action })).toBe('own_proposal');
  });

  test.each(ACTION_STATES.filter((state) => state !== 'proposed'))('comes too late once it is %s', (state) => {
    expect(answer({ action: { state, revision: '1', proposedBy: 'user:other' } })).toBe('already_decided');
  });

  test('is refused on removed content', () => {
    expect(answer({ content: { ...facts().content, status: 'removed' } })).toBe('removed');
  });

  test('is refused where the revision that was read is no longer current', () => {
    expect(answer({ content: { ...facts().content, currentRevision: '2' } })).toBe('stale_revision');
  });

  test('is refused where another revision was read than the one it is about', () => {
    expect(answer({ readRevision: '2' })).toBe('stale_revision');
  });

  test('never goes over what a higher rank has set', () => {
    for (const role of ['moderator', 'owner'] as const) {
      for (const rank of RANKS) {
        const judged = answer({ role, content: { ...facts().content, status: 'published', rank } });
        expect([role, rank, judged]).toEqual([role, rank, outranks(rank, role) ? 'outranked' : role]);
      }
    }
  });
});
