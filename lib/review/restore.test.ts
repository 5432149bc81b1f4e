import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTENT_STATUSES, ENFORCEMENTS, RANKS, type StatusState } from '../content/status.ts';
import { judgeReversal, type RestoreFacts } from './restore.ts';

const published: StatusState = { status: 'published', rank: 'reviewer', action: null };
const restricted: StatusState = { status: 'restricted', rank: 'moderator', action: 'hide' };
const facts = (changes: Partial<RestoreFacts> = {}, now: Partial<RestoreFacts['content']> = {}): RestoreFacts => ({
  record: { version: 3, revision: '1', prior: published },
  alreadyReversed: false,
  content: {
    ...restricted,
    currentRevision: '1',
    version: 3,
    sourceKind: 'backfill',
    enforcementOpen: true,
    ...now,
  },
  standing: 'applied',
  ...changes,
});
const answer = (given: RestoreFacts): string => {
  const judged = judgeReversal(given);
  if (!judged.ok) return judged.refusal;
  const { next, action, event } = judged.value;
  return `${next.status} by ${next.rank}, ${action}, ${event}`;
};
const record = (prior: StatusState, revision = '1') => ({ version: 3, revision, prior });
const was = (status: 'pending' | 'held') => record({ status, rank: 'policy', action: null });

describe('a reversal', () => {
  test('restores exactly what was before, and reverses the applied action', () => {
    expect(answer(facts())).toBe('published by reviewer, reverse, content.restored');
  });

  test('holds what waited for a machine', () => {
    expect(answer(facts({ record: was('pending') }))).toBe('held by policy, reverse, content.held');
    expect(answer(facts({ record: was('pending'), standing: null }, published))).toBe(
      'held by policy, none, content.held',
    );
  });

  test('brings a restriction back only where the source applies any', () => {
    const lifted = { record: record(restricted), standing: null };
    expect(answer(facts(lifted, published))).toBe('restricted by moderator, reinstate, content.restricted');
    expect(answer(facts(lifted, { ...published, enforcementOpen: false }))).toBe('enforcement_closed');
  });

  test('withdraws a proposal that was made upon the record', () => {
    const proposed = { record: was('held'), standing: 'proposed' as const };
    expect(answer(facts(proposed, { status: 'held', rank: 'policy', action: null }))).toBe(
      'held by policy, withdraw, content.reviewed',
    );
  });

  test('is for the newest record only, once, and never of removed content', () => {
    expect(answer(facts({}, { version: 4 }))).toBe('newer_record');
    expect(answer(facts({ alreadyReversed: true }, { version: 4 }))).toBe('already_reversed');
    expect(answer(facts({}, { status: 'removed', action: null }))).toBe('removed');
  });

  test.each([
    ['backfill', 'published by policy, reverse, content.restored'],
    ['live', 'held by policy, reverse, content.held'],
    ['documents', 'held by policy, reverse, content.held'],
  ] as const)('gives a revision that arrived since no approval on a %s source', (sourceKind, expected) => {
    expect(answer(facts({}, { currentRevision: '2', sourceKind }))).toBe(expected);
  });

  test('never makes an item public that was not, nor leaves one waiting for a machine', () => {
    const anyState = fc
      .record({
        status: fc.constantFrom(...CONTENT_STATUSES.filter((status) => status !== 'removed')),
        rank: fc.constantFrom(...RANKS),
        action: fc.constantFrom(...ENFORCEMENTS),
      })
      .map((one): StatusState => ({ ...one, action: one.status === 'restricted' ? one.action : null }));
    fc.assert(
      fc.property(anyState, anyState, fc.constantFrom('1', '2'), (prior, now, currentRevision) => {
        const standing = now.status === 'restricted' ? 'applied' : null;
        const judged = judgeReversal(facts({ record: record(prior), standing }, { ...now, currentRevision }));
        if (!judged.ok) return;
        expect(judged.value.next.status).not.toBe('pending');
        if (judged.value.next.status === 'published') expect(prior.status).toBe('published');
        expect(judged.value.next.status === 'restricted').toBe(prior.status === 'restricted');
      }),
    );
  });
});
