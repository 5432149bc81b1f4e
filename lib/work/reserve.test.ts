import { expect, test } from 'vitest';
import type { ItemResult } from './item-end.ts';
import { measure, NOTHING_MEASURED, reservation } from './reserve.ts';

const POLICY_BYTES = 1_000;

const answer = (units: number | null, requestBytes: number, contentBytes: number, segments = 1): ItemResult => ({
  id: 1,
  token: 't',
  attempt: 1,
  end: {
    kind: 'answer',
    draft: {
      textSha256: '',
      inputSha256: '',
      promptSha256: '',
      contractVersion: 'scores/1',
      classifier: 'c',
      model: 'm',
      classification: { scores: {} },
      verdict: 'allow',
      because: [],
      segments,
      normalised: [],
      instructed: false,
    },
    call: { latencyMs: 1, units, raw: null, weight: { requestBytes, contentBytes } },
  },
});

test('before anything is measured a byte is a unit, and the policy comes with every request', () => {
  expect(reservation({ text: 'äb', title: null }, NOTHING_MEASURED, POLICY_BYTES)).toBe(3 + POLICY_BYTES);
});

test('a long text sets the instructions aside for each of its requests', () => {
  const text = 'a'.repeat(20_000);
  expect(reservation({ text }, NOTHING_MEASURED, POLICY_BYTES)).toBe(20_000 + 3 * POLICY_BYTES);
});

test('everything that is shown counts: title, author and parent too', () => {
  const input = { text: 'ab', title: 'cd', author_name: 'ef', parent_text: 'gh' };
  expect(reservation(input, NOTHING_MEASURED, 0)).toBe(8);
});

test('what was measured takes the place of the guess', () => {
  const measured = measure(NOTHING_MEASURED, [answer(100, 400, 200), answer(100, 400, 200)]);
  expect(reservation({ text: 'a'.repeat(200) }, measured, POLICY_BYTES)).toBe(100);
});

test('failures and answers without units measure nothing', () => {
  const failed: ItemResult = {
    id: 1,
    token: 't',
    attempt: 1,
    end: {
      kind: 'failure',
      code: 'timeout',
      retryAfterMs: null,
      pauses: false,
      call: { latencyMs: 1, units: 7, raw: null, weight: { requestBytes: 9, contentBytes: 1 } },
    },
  };
  expect(measure(NOTHING_MEASURED, [failed, answer(null, 400, 200)])).toEqual(NOTHING_MEASURED);
});
