import { describe, expect, test } from 'vitest';
import type { WholeResult } from '../classifier/answer.ts';
import { nothingToClassify } from '../classifier/answer.ts';
import { testPolicy } from '../policy/testing.ts';
import { afterResult, endOfCall, type Streak } from './call-end.ts';

const from = {
  document: testPolicy(),
  promptSha256: 'p',
  contractVersion: 'scores/1',
  classifier: 'scripted',
  textSha256: 't',
  inputSha256: 'i',
};
const answer: WholeResult = {
  outcome: 'ok',
  classification: { scores: { spam: 0.9, hate: 0, threat: 0 } },
  otherScores: { novelty: 0.7 },
  model: 'scripted-1',
  units: 5,
  raw: '{}',
  latencyMs: 3,
  normalised: [],
  weight: { requestBytes: 10, contentBytes: 5 },
  segments: 1,
  instructed: false,
  differing: [],
};

test('an answer becomes a draft with the verdict of the policy; labels it does not use are kept without effect', () => {
  const end = endOfCall(answer, from, false);
  expect(end).toMatchObject({
    kind: 'answer',
    draft: {
      verdict: 'restrict',
      classification: { scores: { spam: 0.9, hate: 0, threat: 0, novelty: 0.7 } },
      because: [{ label: 'spam', score: 0.9, threshold: 0.8, rule: 'restrictAt' }],
    },
  });
});

test('a label of its own cannot stand in for one the policy uses', () => {
  const end = endOfCall(
    { ...answer, classification: { scores: { spam: 0, hate: 0, threat: 0 } }, otherScores: { spam: 0.99 } },
    from,
    false,
  );
  expect(end).toMatchObject({ kind: 'answer', draft: { verdict: 'allow' } });
});

test('a hole in an answer throws and can become no verdict', () => {
  expect(() => endOfCall({ ...answer, classification: { scores: { spam: 0 } } }, from, false)).toThrow();
});

describe('what makes a run pause', () => {
  const run = (outcomes: WholeResult['outcome'][]) => {
    let streak: Streak = { badUpstream: 0 };
    return outcomes.map((outcome) => {
      const after = afterResult(streak, outcome);
      streak = after.streak;
      return after.pause;
    });
  };

  test('the fifth upstream fault in a row, and none before', () => {
    expect(run(Array(6).fill('bad_upstream'))).toEqual([null, null, null, null, 'bad_upstream', 'bad_upstream']);
  });

  test('any other result in between breaks the row', () => {
    const four: WholeResult['outcome'][] = Array(4).fill('bad_upstream');
    expect(run([...four, 'ok', ...four, 'timeout', ...four]).every((pause) => pause === null)).toBe(true);
  });

  test.each(['config_error', 'model_mismatch', 'quota_exhausted', 'ceiling'] as const)('%s at once', (code) => {
    expect(run([code])).toEqual([code]);
  });
});

test('there is something to classify where there is text or a title', () => {
  expect(nothingToClassify({ text: '', title: null })).toBe(true);
  expect(nothingToClassify({ text: '', title: '' })).toBe(true);
  expect(nothingToClassify({ text: ' ', title: null })).toBe(false);
  expect(nothingToClassify({ text: '', title: 'x' })).toBe(false);
});
