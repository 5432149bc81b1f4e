import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WordExample, wordThresholds } from './word-thresholds.ts';

const BUDGET = { reviewAlarms: 0.25, spamOfClean: 0, spamOfReview: 0.5 };
const SPAM = [{ label: 'spam', kind: 'SPAM' }] as const;
const example = (word: WordExample['word'], spam: number): WordExample => ({ word, scores: { spam } });

test('the lowest thresholds within the budget are chosen', () => {
  const examples = [0.1, 0.2, 0.3, 0.6].map((score) => example('CLEAN', score));
  const review = [0.5, 0.8].map((score) => example('REVIEW', score));
  expect(wordThresholds([...examples, ...review], SPAM, BUDGET)).toEqual([
    { label: 'spam', reviewAt: 0.31, spamAt: 0.61 },
  ]);
});

test('a label that leads to people only never says SPAM', () => {
  const [line] = wordThresholds([example('CLEAN', 0)], [{ label: 'spam', kind: 'REVIEW' }], BUDGET);
  expect(line).toEqual({ label: 'spam', reviewAt: 0.01 });
});

test('a label that is sure of plain texts says nothing', () => {
  expect(wordThresholds([example('CLEAN', 1)], SPAM, BUDGET)).toEqual([]);
});

test('whatever the texts, what was chosen keeps within the budget', () => {
  const any = fc.record({
    word: fc.constantFrom('CLEAN', 'SPAM', 'REVIEW'),
    spam: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(any), (all) => {
      const examples = all.map(({ word, spam }) => example(word as WordExample['word'], spam));
      for (const { reviewAt, spamAt = 2 } of wordThresholds(examples, SPAM, BUDGET)) {
        const clean = all.filter(({ word }) => word === 'CLEAN');
        expect(clean.filter(({ spam }) => spam >= reviewAt).length).toBeLessThanOrEqual(
          BUDGET.reviewAlarms * clean.length,
        );
        expect(clean.filter(({ spam }) => spam >= spamAt)).toEqual([]);
        expect(spamAt).toBeGreaterThanOrEqual(reviewAt);
      }
    }),
  );
});
