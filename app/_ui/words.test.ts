import { expect, test } from 'vitest';
import { FAILURES } from '@/lib/classifier/failure.ts';
import { failureSentence, scoreText, thresholdText, whyShort } from './words.ts';

const NEVER_A_CASE = ['config_error', 'model_mismatch', 'quota_exhausted', 'lease_lost', 'ceiling'];

test('every failure that can end in a case is said in words', () => {
  const codes = Object.keys(FAILURES).filter((code) => !NEVER_A_CASE.includes(code));
  expect(
    codes.filter((code) => failureSentence(code).includes(code) && code !== 'overloaded' && code !== 'refused'),
  ).toEqual([]);
});

test.each([
  [0.849, '0.84'],
  [0.85, '0.85'],
  [0.29, '0.29'],
  [1, '1.00'],
  [0, '0.00'],
])('the score %d is shown as %s', (score, text) => {
  expect(scoreText(score)).toBe(text);
});

test.each([
  [0.1, '0.10'],
  [0.06, '0.06'],
  [0.125, '0.125'],
  [1, '1.00'],
])('the threshold %d is shown as %s, never rounded', (threshold, text) => {
  expect(thresholdText(threshold)).toBe(text);
});

test.each([
  [{ kind: 'decision', reasonCode: 'review', label: 'harassment', score: 0.62 }, 'review', 'harassment 0.62'],
  [{ kind: 'decision', reasonCode: 'review', label: 'threat', score: null }, 'review', 'threat, not evaluated'],
  [{ kind: 'decision', reasonCode: 'review', label: 'form', score: null, rule: 'tag' }, 'review', 'form'],
  [
    { kind: 'decision', reasonCode: 'review', label: 'leaflet', score: null, rule: 'segments_differ' },
    'review',
    'parts of it are leaflet',
  ],
  [
    { kind: 'decision', reasonCode: 'restrict', label: 'SPAM', score: null, rule: 'word' },
    'restrict',
    'spam, in one word',
  ],
  [
    { kind: 'decision', reasonCode: 'review', label: 'REVIEW', score: null, rule: 'word' },
    'review',
    'unsure, in one word',
  ],
  [
    { kind: 'decision', reasonCode: 'review', label: 'instruction', score: null, rule: 'instruction' },
    'review',
    'tries to instruct the classifier',
  ],
  [{ kind: 'decision', reasonCode: 'restrict', label: 'spam', score: 0.97 }, 'restrict', 'spam 0.97'],
  [{ kind: 'decision', reasonCode: 'cancelled', label: null, score: null }, 'pending', 'its run was cancelled'],
  [{ kind: 'exception', reasonCode: 'no_text', label: null, score: null }, 'failed', 'no text'],
] as const)('%j is a %s because of %s', (facts, mark, words) => {
  expect(whyShort(facts)).toEqual({ mark, words });
});
