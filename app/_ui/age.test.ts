import { expect, test } from 'vitest';
import { ageText, clockText, instantText } from './age.ts';

test.each([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 d'],
])('%i ms is %s old', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});

test.each([
  [-1, '0:00'],
  [1, '0:01'],
  [60_000, '1:00'],
  [192_000, '3:12'],
])('%i ms left read %s', (ms, text) => {
  expect(clockText(ms)).toBe(text);
});

test('an instant is read in UTC', () => {
  expect(instantText('2026-11-30T14:05:09.123Z')).toBe('2026-11-30 14:05:09 UTC');
});
