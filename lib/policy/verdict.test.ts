import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scores } from './classification.ts';
import { testPolicy } from './testing.ts';
import { combineScores, deriveScoresVerdict, restrictingRule } from './verdict.ts';

const policy = testPolicy();
const quiet = { spam: 0, hate: 0, threat: 0 };

describe('the verdict of a scores policy', () => {
  test.each<[string, Scores, string, [string, number | null, number, string][]]>([
    ['all far below', {}, 'allow', []],
    ['just below reviewAt', { spam: 0.3999999 }, 'allow', []],
    ['exactly reviewAt', { spam: 0.4 }, 'review', [['spam', 0.4, 0.4, 'reviewAt']]],
    ['just below restrictAt', { spam: 0.7999999 }, 'review', [['spam', 0.7999999, 0.4, 'reviewAt']]],
    ['exactly restrictAt', { spam: 0.8 }, 'restrict', [['spam', 0.8, 0.8, 'restrictAt']]],
    ['a certain label without restrictAt', { threat: 1 }, 'review', [['threat', 1, 0.2, 'reviewAt']]],
    ['a label not evaluated', { hate: null }, 'review', [['hate', null, 0.5, 'not_evaluated']]],
    [
      'everything at once, strongest first',
      { threat: null, hate: 0.6, spam: 0.9 },
      'restrict',
      [
        ['spam', 0.9, 0.8, 'restrictAt'],
        ['hate', 0.6, 0.5, 'reviewAt'],
        ['threat', null, 0.2, 'not_evaluated'],
      ],
    ],
    [
      'two over restrictAt: the higher score first',
      { spam: 0.91, hate: 0.95 },
      'restrict',
      [
        ['hate', 0.95, 0.9, 'restrictAt'],
        ['spam', 0.91, 0.8, 'restrictAt'],
      ],
    ],
    [
      'equal scores: by label',
      { threat: 0.5, hate: 0.5 },
      'review',
      [
        ['hate', 0.5, 0.5, 'reviewAt'],
        ['threat', 0.5, 0.2, 'reviewAt'],
      ],
    ],
    ['a label the policy has no rule for', { other: 1 }, 'allow', []],
  ])('%s', (_, scores, verdict, because) => {
    const derived = deriveScoresVerdict(policy, { ...quiet, ...scores });
    expect(derived.verdict).toBe(verdict);
    expect(derived.because.map((each) => [each.label, each.score, each.threshold, each.rule])).toEqual(because);
  });

  test.each([Number.NaN, -0.01, 1.01, Number.POSITIVE_INFINITY, undefined, '0.1'])(
    'a score of %s never reads as allow',
    (score) => {
      expect(() => deriveScoresVerdict(policy, { ...quiet, spam: score as number })).toThrow('not usable');
    },
  );

  test('a missing label never reads as allow, not even one that every object inherits', () => {
    const rules = [{ label: 'constructor', reviewAt: 0.5, action: 'hide' as const }];
    expect(() => deriveScoresVerdict({ rules }, {})).toThrow('not usable');
  });

  test('agrees with a reading of the contract that shares no code', () => {
    const LABELS = ['a', 'b', 'c', 'd'];
    const unit = fc.integer({ min: 0, max: 8 }).map((n) => n / 8);
    const rule = fc.record({ low: unit, high: fc.option(unit) }).map(({ low, high }) => ({
      reviewAt: high === null ? low : Math.min(low, high),
      high: high === null ? null : Math.max(low, high),
    }));
    fc.assert(
      fc.property(fc.tuple(rule, rule, rule, rule), fc.tuple(...LABELS.map(() => fc.option(unit))), (given, values) => {
        const rules = given.map(({ reviewAt, high }, at) => ({
          label: LABELS[at] ?? '',
          reviewAt,
          ...(high !== null && { restrictAt: high }),
          action: 'hide' as const,
        }));
        const scores = Object.fromEntries(values.map((value, at) => [LABELS[at] ?? '', value]));
        const over = (pick: (at: number) => boolean) => LABELS.filter((_, at) => pick(at));
        const restrict = over(
          (at) => given[at]?.high !== null && values[at] !== null && (values[at] ?? 0) >= (given[at]?.high ?? 2),
        );
        const unsure = over((at) => values[at] === null);
        const review = over((at) => values[at] !== null && (values[at] ?? 0) >= (given[at]?.reviewAt ?? 2));
        const expected = restrict.length > 0 ? 'restrict' : review.length + unsure.length > 0 ? 'review' : 'allow';

        const { verdict, because } = deriveScoresVerdict({ rules }, scores);
        expect(verdict).toBe(expected);
        expect(new Set(because.map((each) => each.label))).toEqual(new Set([...restrict, ...review, ...unsure]));
        expect(because.length === 0).toBe(verdict === 'allow');
        for (const each of because) {
          expect(each.score === null ? each.rule === 'not_evaluated' : each.score >= (each.threshold ?? 2)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a higher score never gives a milder verdict', () => {
    const rank = ['allow', 'review', 'restrict'];
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(unit, unit, unit, unit, (spam, hate, threat, more) => {
        const before = deriveScoresVerdict(policy, { spam, hate, threat });
        const after = deriveScoresVerdict(policy, { spam: Math.max(spam, more), hate, threat });
        expect(rank.indexOf(after.verdict)).toBeGreaterThanOrEqual(rank.indexOf(before.verdict));
      }),
    );
  });
});

describe('segments combine by maximum', () => {
  test.each<[string, Scores[], Scores]>([
    ['one is itself', [{ ...quiet, spam: 0.3 }], { ...quiet, spam: 0.3 }],
    [
      'the highest of each label',
      [
        { ...quiet, spam: 0.3 },
        { spam: 0.1, hate: 0.7, threat: 0 },
      ],
      { spam: 0.3, hate: 0.7, threat: 0 },
    ],
    [
      'a hole with low numbers beside it stays a hole',
      [
        { ...quiet, spam: null },
        { ...quiet, spam: 0.3 },
      ],
      { ...quiet, spam: null },
    ],
    [
      'a number that leads to review alone outweighs a hole',
      [
        { ...quiet, spam: null },
        { ...quiet, spam: 0.4 },
      ],
      { ...quiet, spam: 0.4 },
    ],
    [
      'holes only',
      [
        { ...quiet, spam: null },
        { ...quiet, spam: null },
      ],
      { ...quiet, spam: null },
    ],
    [
      'a hole of a label without rule stays',
      [
        { ...quiet, x: null },
        { ...quiet, x: 1 },
      ],
      { ...quiet, x: null },
    ],
  ])('%s', (_, given, expected) => {
    expect(combineScores(policy, given)).toEqual(expected);
  });

  test('nothing to combine, or segments with different labels, are refused', () => {
    expect(() => combineScores(policy, [])).toThrow();
    expect(() => combineScores(policy, [quiet, { spam: 0, hate: 0 }])).toThrow();
    expect(() => combineScores(policy, [{ spam: 0, hate: 0 }, quiet])).toThrow();
  });

  test('the whole is never judged milder than one of its segments', () => {
    const rank = ['allow', 'review', 'restrict'];
    const score = fc.option(fc.integer({ min: 0, max: 20 }).map((n) => n / 20));
    const segment = fc.record({ spam: score, hate: score, threat: score });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (given) => {
        const whole = rank.indexOf(deriveScoresVerdict(policy, combineScores(policy, given)).verdict);
        for (const each of given)
          expect(whole).toBeGreaterThanOrEqual(rank.indexOf(deriveScoresVerdict(policy, each).verdict));
      }),
    );
  });
});

test('a proposal takes the action of the strongest label at or above restrictAt', () => {
  const ruleFor = (scores: Scores) =>
    restrictingRule(policy, deriveScoresVerdict(policy, { ...quiet, ...scores }))?.action ?? null;
  expect(ruleFor({ spam: 0.81, hate: 0.95 })).toBe('limit');
  expect(ruleFor({ spam: 0.97, hate: 0.95 })).toBe('hide');
  expect(ruleFor({ spam: 0.5 })).toBeNull();
  expect(ruleFor({})).toBeNull();
});
