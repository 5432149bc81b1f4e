import { expect, test } from 'vitest';
import { rate } from '@/lib/quality/precision.ts';
import { counted, durationText, intervalText, percentText, rateText, shareText } from './figures.ts';

test('a share is never rounded up', () => {
  expect([0, 0.299, 0.3, 0.899, 1].map(shareText)).toEqual(['0.00', '0.29', '0.30', '0.89', '1.00']);
});

test('0 of 0 is not a percentage, and no interval', () => {
  expect([rateText(rate(0, 0)), intervalText(rate(0, 0))]).toEqual(['n/a (0 of 0)', '']);
  expect(percentText(0, 0)).toBe('n/a');
});

test('an interval is never drawn narrower than it is', () => {
  expect(intervalText(rate(19, 20))).toBe('0.76 to 1.00');
  expect(intervalText(rate(875, 1000))).toBe('0.85 to 0.90');
});

test('a part that is there is never nothing, and one that is not all never everything', () => {
  expect([
    percentText(1, 1000),
    percentText(999, 1000),
    percentText(0, 5),
    percentText(5, 5),
    percentText(1, 3),
  ]).toEqual(['under 1%', 'over 99%', '0%', '100%', '33%']);
});

test.each([
  [840, '840 ms'],
  [12_900, '12 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
])('%i ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('one is not many', () => {
  expect([counted(1, 'case'), counted(1_200, 'case'), counted(0, 'reply', 'replies')]).toEqual([
    '1 case',
    '1,200 cases',
    '0 replies',
  ]);
});
