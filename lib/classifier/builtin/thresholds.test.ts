import { describe, expect, test } from 'vitest';
import type { OutOfFold } from './fit.ts';
import { MIN_POSITIVES_FOR_NORMAL, suggestThresholds } from './thresholds.ts';

type Kind = { set: 'sms-spam' | 'davidson' | 'edos'; truth: 0 | 1; presumed?: boolean };

function rows(count: number, score: (share: number) => number, { set, truth, presumed = false }: Kind): OutOfFold[] {
  return Array.from({ length: count }, (_, i) => ({
    row: { id: `${i}`, set, source: `${set}/x`, text: '', gold: {} },
    score: score(i / count),
    truth,
    presumed,
  }));
}

const plain = rows(1000, (share) => share * 0.5, { set: 'edos', truth: 0, presumed: true });
const good = [
  ...rows(600, (share) => 0.5 + share / 2, { set: 'sms-spam', truth: 1 }),
  ...rows(600, (share) => share * 0.55, { set: 'sms-spam', truth: 0 }),
];

describe('suggestThresholds', () => {
  test('reviewAt is the lowest score at which few enough plain rows are flagged', () => {
    const { reviewAt } = suggestThresholds('spam', [...good, ...plain]);
    const alarms = (at: number) => plain.filter(({ score }) => score >= at).length / plain.length;
    expect(alarms(reviewAt)).toBeLessThanOrEqual(0.015);
    expect(alarms(reviewAt - 0.01)).toBeGreaterThan(0.015);
  });

  test('a label where somebody may come to harm is reviewed from lower on', () => {
    const spam = suggestThresholds('spam', [...good, ...plain]).reviewAt;
    expect(suggestThresholds('threat', [...good, ...plain]).reviewAt).toBeLessThan(spam);
  });

  test('restrictAt lies above reviewAt and is precise', () => {
    const { support, reviewAt, restrictAt } = suggestThresholds('spam', [...good, ...plain]);
    expect(support).toBe('normal');
    expect(restrictAt).toBeGreaterThan(reviewAt);
  });

  test('a label with few positives has low support and never proposes a restriction', () => {
    const few = good.filter(({ truth }, i) => truth === 0 || i < MIN_POSITIVES_FOR_NORMAL - 1);
    expect(suggestThresholds('spam', [...few, ...plain])).toMatchObject({ support: 'low', restrictAt: null });
  });

  test('one set in which it is imprecise is enough to propose no restriction', () => {
    const imprecise = [
      ...rows(50, () => 0.995, { set: 'davidson', truth: 1 }),
      ...rows(50, () => 0.995, { set: 'davidson', truth: 0 }),
    ];
    expect(suggestThresholds('spam', [...good, ...plain, ...imprecise]).restrictAt).toBeNull();
  });

  test('plain rows that score high keep it from proposing', () => {
    const loud = rows(100, () => 0.995, { set: 'edos', truth: 0, presumed: true });
    expect(suggestThresholds('spam', [...good, ...plain, ...loud]).restrictAt).toBeNull();
  });
});
