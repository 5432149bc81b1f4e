import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scores } from './classification.ts';
import { verdictPolicy } from './testing.ts';
import { type VerdictRule, verdictRule, wordByRule } from './verdict-rule.ts';

const RULE: VerdictRule = [
  { label: 'spam', reviewAt: 0.3, spamAt: 0.8 },
  { label: 'threat', reviewAt: 0.2 },
];

describe('the word that scores come to', () => {
  test.each<[string, Scores, string | null]>([
    ['nothing reaches a threshold', { spam: 0.29, threat: 0.19 }, 'CLEAN'],
    ['a threshold is reached exactly', { spam: 0.3, threat: 0 }, 'REVIEW'],
    ['a label without spamAt never says SPAM', { spam: 0, threat: 1 }, 'REVIEW'],
    ['spamAt is reached exactly', { spam: 0.8, threat: 0 }, 'SPAM'],
    ['SPAM stays SPAM whatever comes after', { spam: 0.9, threat: 0.5 }, 'SPAM'],
    ['a label was not evaluated', { spam: 0, threat: null }, 'REVIEW'],
    ['SPAM beside a label that was not evaluated', { spam: 0.9, threat: null }, 'SPAM'],
    ['a label of the rule is missing', { spam: 0.9 }, null],
    ['a score is no number', { spam: 0, threat: Number.NaN }, null],
    ['a score is above one', { spam: 1.1, threat: 0 }, null],
    ['labels beyond the rule have no effect', { spam: 0, threat: 0, hate: 1 }, 'CLEAN'],
    ['a label that only the prototype has', { threat: 0 }, null],
  ])('%s', (_, scores, word) => {
    expect(wordByRule(RULE, scores)).toBe(word);
  });

  test('a higher score never makes the word milder', () => {
    const order = ['CLEAN', 'REVIEW', 'SPAM'];
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (a, b, threat) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((spam) => wordByRule(RULE, { spam, threat }) ?? '');
        expect(order.indexOf(high ?? '')).toBeGreaterThanOrEqual(order.indexOf(low ?? ''));
      }),
    );
  });
});

describe('the rule of a policy', () => {
  const withRule = (verdict_rule: unknown) =>
    verdictRule(verdictPolicy({ classifier: { adapter: 'builtin', model: 'm', params: { verdict_rule } as never } }));

  test('is read from its params', () => {
    expect(verdictRule(verdictPolicy())).toEqual([{ label: 'spam', reviewAt: 0.3, spamAt: 0.8 }]);
  });
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty list', []],
    ['a label twice', [RULE[0], RULE[0]]],
    ['spam before review', [{ label: 'spam', reviewAt: 0.8, spamAt: 0.3 }]],
    ['a threshold above one', [{ label: 'spam', reviewAt: 1.5 }]],
    ['an unknown member', [{ label: 'spam', reviewAt: 0.5, more: 1 }]],
    ['no list', { label: 'spam', reviewAt: 0.5 }],
  ])('%s is none', (_, value) => {
    expect(withRule(value)).toBeNull();
  });
});
