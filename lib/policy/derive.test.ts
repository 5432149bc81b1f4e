import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Classification, WORDS, type Word } from './classification.ts';
import { combineAnswers, deriveVerdict, INSTRUCTION, PLAIN, restrictingAction } from './derive.ts';
import { tagPolicy, testPolicy, verdictPolicy } from './testing.ts';

const tagged = (tag: string, start = 0): Classification => ({
  tag,
  start,
  end: start + 1,
  passage_sha256: 'a'.repeat(64),
});
const word = (one: Word): Classification => ({ word: one });
const scores = (spam: number): Classification => ({ scores: { spam, hate: 0, threat: 0 } });
const reason = (label: string, rule: string) => ({ label, score: null, threshold: null, rule });

describe('one answer', () => {
  test.each<[string, Classification, string, object[]]>([
    ['an accepted tag', tagged('guide'), 'allow', []],
    ['a tag for people', tagged('form'), 'review', [reason('form', 'tag')]],
  ])('%s', (_, answer, verdict, because) => {
    expect(deriveVerdict(tagPolicy(), answer, PLAIN)).toEqual({ verdict, because });
  });

  test.each<[Word, string, object[]]>([
    ['CLEAN', 'allow', []],
    ['SPAM', 'restrict', [reason('SPAM', 'word')]],
    ['REVIEW', 'review', [reason('REVIEW', 'word')]],
  ])('the word %s means %s', (one, verdict, because) => {
    expect(deriveVerdict(verdictPolicy(), word(one), PLAIN)).toEqual({ verdict, because });
  });

  test('a policy may send CLEAN and SPAM to people, too', () => {
    const careful = verdictPolicy({ rules: { CLEAN: 'review', SPAM: 'review', REVIEW: 'review' } });
    expect(WORDS.map((one) => deriveVerdict(careful, word(one), PLAIN).verdict)).toEqual([
      'review',
      'review',
      'review',
    ]);
  });

  test.each<[string, Parameters<typeof deriveVerdict>[0], Classification]>([
    ['a tag the policy does not know', tagPolicy(), tagged('map')],
    ['scores under a tag policy', tagPolicy(), scores(0)],
    ['a word under a scores policy', testPolicy(), word('CLEAN')],
    ['a tag under a verdict policy', verdictPolicy(), tagged('guide')],
  ])('%s throws and can become no verdict', (_, policy, answer) => {
    expect(() => deriveVerdict(policy, answer, PLAIN)).toThrow();
  });
});

describe('an attempt to instruct the classifier', () => {
  const instructed = { instructed: true, differing: [] };
  test.each<[string, Parameters<typeof deriveVerdict>[0], Classification, string]>([
    ['an allow by scores', testPolicy(), scores(0), 'review'],
    ['a review by scores', testPolicy(), scores(0.5), 'review'],
    ['a restrict by scores', testPolicy(), scores(0.9), 'restrict'],
    ['CLEAN', verdictPolicy(), word('CLEAN'), 'review'],
    ['SPAM', verdictPolicy(), word('SPAM'), 'restrict'],
    ['an accepted tag', tagPolicy(), tagged('guide'), 'review'],
  ])('brings %s to at least review, as its last reason', (_, policy, answer, verdict) => {
    const derived = deriveVerdict(policy, answer, instructed);
    expect(derived.verdict).toBe(verdict);
    expect(derived.because.at(-1)).toEqual(reason(INSTRUCTION, 'instruction'));
  });

  test('leaves what a restrict proposes as it was', () => {
    const derived = deriveVerdict(testPolicy(), scores(0.9), instructed);
    expect(restrictingAction(testPolicy(), derived)).toBe('hide');
  });
});

test('only a restrict proposes anything', () => {
  expect(restrictingAction(verdictPolicy(), deriveVerdict(verdictPolicy(), word('SPAM'), PLAIN))).toBe('hide');
  expect(restrictingAction(verdictPolicy(), deriveVerdict(verdictPolicy(), word('REVIEW'), PLAIN))).toBeNull();
  expect(restrictingAction(tagPolicy(), deriveVerdict(tagPolicy(), tagged('form'), PLAIN))).toBeNull();
});

describe('the segments of one text', () => {
  test('CLEAN stands only if every segment is CLEAN; SPAM goes before REVIEW', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }), (words) => {
        const { classification } = combineAnswers(verdictPolicy(), words.map(word));
        const expected = words.includes('SPAM') ? 'SPAM' : words.includes('REVIEW') ? 'REVIEW' : 'CLEAN';
        expect(classification).toEqual({ word: expected });
      }),
    );
  });

  test('equal tags stand with the passage of the first; differing ones are held, each named once', () => {
    const policy = tagPolicy();
    expect(combineAnswers(policy, [tagged('guide', 3), tagged('guide', 9)])).toEqual({
      classification: tagged('guide', 3),
      differing: [],
    });
    const mixed = combineAnswers(policy, [tagged('guide'), tagged('form'), tagged('form')]);
    expect(mixed.differing).toEqual(['form']);
    expect(deriveVerdict(policy, mixed.classification, { instructed: false, differing: mixed.differing })).toEqual({
      verdict: 'review',
      because: [reason('form', 'segments_differ')],
    });
  });

  test('scores combine by maximum', () => {
    expect(combineAnswers(testPolicy(), [scores(0.1), scores(0.7), scores(0.2)]).classification).toEqual(scores(0.7));
  });

  test('no segment, or answers of different shapes, throw', () => {
    expect(() => combineAnswers(testPolicy(), [])).toThrow();
    expect(() => combineAnswers(testPolicy(), [scores(0), word('CLEAN')])).toThrow();
    expect(() => combineAnswers(verdictPolicy(), [word('CLEAN'), tagged('guide')])).toThrow();
    expect(() => combineAnswers(tagPolicy(), [tagged('guide'), word('CLEAN')])).toThrow();
  });
});
