import { expect, test } from 'vitest';
import { tagPolicy } from '../policy/testing.ts';
import { CHECK_TEXT_COUNT, checkCalls } from './check-texts.ts';
import { SEGMENT_CODE_POINTS } from './segments.ts';

const calls = (count: number, callGroup = 7) =>
  checkCalls({ policyVersion: 'kind@3', document: tagPolicy() }, count, callGroup);

test('as many calls as asked, each under an id of its own', () => {
  const asked = calls(CHECK_TEXT_COUNT + 5);
  expect(asked).toHaveLength(CHECK_TEXT_COUNT + 5);
  expect(new Set(asked.map(({ decisionId }) => decisionId)).size).toBe(asked.length);
  expect(asked.every(({ callGroup, policyVersion }) => callGroup === 7 && policyVersion === 'kind@3')).toBe(true);
});

test('the texts differ, all can be sent and shown as evidence, and one is longer than a segment', () => {
  const texts = calls(CHECK_TEXT_COUNT).map(({ input }) => input.text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.every((text) => text.isWellFormed() && text.trim() !== '')).toBe(true);
  expect(texts.some((text) => [...text].length > 2 * SEGMENT_CODE_POINTS)).toBe(true);
});
