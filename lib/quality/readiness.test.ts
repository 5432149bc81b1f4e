import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WholeResult } from '../classifier/answer.ts';
import { PLAIN } from '../policy/derive.ts';
import type { AskedAll } from './ask-all.ts';
import { type Answer, paceAnswer, percentile, qualityAnswer, ready, schemaAnswer } from './readiness.ts';
import type { Bar } from './release.ts';

const good: WholeResult = {
  outcome: 'ok',
  classification: { word: 'CLEAN' },
  otherScores: {},
  model: 'm',
  units: 1,
  raw: '',
  latencyMs: 1,
  normalised: [],
  weight: { requestBytes: 1, contentBytes: 1 },
  segments: 1,
  ...PLAIN,
};
const bad: WholeResult = { outcome: 'invalid_json', latencyMs: 1 };
const asked = (results: readonly WholeResult[], elapsedMs = 1_000): AskedAll => ({
  answers: results.map((result, at) => ({ result, latencyMs: 10 * (at + 1) })),
  elapsedMs,
  stopped: null,
});
const many = (count: number) => Array.from({ length: count }, () => good);

describe('the schema', () => {
  test('is held to where every answer could be used', () => {
    expect(schemaAnswer(asked(many(20)))).toMatchObject({
      answer: 'yes',
      calls: 20,
      usable: 20,
      share: 1,
      failureCodes: {},
    });
  });
  test('is not held to where one could not, and its code is told', () => {
    expect(schemaAnswer(asked([...many(19), bad]))).toMatchObject({
      answer: 'no',
      usable: 19,
      failureCodes: { invalid_json: 1 },
    });
  });
  test('is not held to by a classifier that was never asked', () => {
    expect(schemaAnswer(asked([]))).toMatchObject({ answer: 'no', share: null, interval: null });
  });
});

describe('the pace', () => {
  const plan = { concurrency: 2, backlog: 600, objectiveMinutes: 10 };
  test('is what usable answers came to, and the backlog is counted at it', () => {
    // Ten in a second are six hundred a minute.
    expect(paceAnswer(asked(many(10)), plan)).toMatchObject({ answer: 'yes', perMinute: 600, neededMinutes: 1 });
  });
  test('counts no answer that could not be used', () => {
    expect(paceAnswer(asked([...many(5), ...Array.from({ length: 5 }, () => bad)]), plan)).toMatchObject({
      perMinute: 300,
    });
  });
  test.each<[string, Parameters<typeof paceAnswer>, Answer]>([
    ['just in time', [asked(many(10)), { ...plan, backlog: 6_000 }], 'yes'],
    ['too slow', [asked(many(10)), { ...plan, backlog: 6_001 }], 'no'],
    ['no backlog said', [asked(many(10)), { ...plan, backlog: undefined }], 'unknown'],
    ['no objective said', [asked(many(10)), { ...plan, objectiveMinutes: undefined }], 'unknown'],
    ['too few calls for so many places', [asked(many(10)), { ...plan, concurrency: 6 }], 'unknown'],
    ['nothing usable', [asked([bad, bad, bad, bad]), plan], 'unknown'],
    ['nothing asked', [asked([], 0), plan], 'unknown'],
  ])('%s', (_, given, answer) => {
    expect(paceAnswer(...given).answer).toBe(answer);
  });
  test('tells latencies that were measured: a percentile is one of the values, and none of none', () => {
    expect(paceAnswer(asked(many(20)), plan)).toMatchObject({ p50Ms: 100, p95Ms: 190 });
    expect(percentile([], 0.5)).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1 }), fc.constantFrom(0.5, 0.95), (values, share) => {
        const found = percentile(values, share) ?? Number.NaN;
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * values.length);
      }),
    );
  });
});

describe('the quality', () => {
  const bar = (met: boolean | null): Bar => ({ metric: 'recall', label: 'a', asked: 0.5, found: 0.5, met });
  test.each<[string, readonly Bar[] | null, Answer]>([
    ['without gold', null, 'unknown'],
    ['with gold and no bar', [], 'told'],
    ['every bar met', [bar(true), bar(true)], 'yes'],
    ['a bar missed', [bar(true), bar(null), bar(false)], 'no'],
    ['a bar too few rows tell of', [bar(true), bar(null)], 'unknown'],
  ])('%s', (_, bars, answer) => {
    expect(qualityAnswer(bars)).toBe(answer);
  });
});

test.each<[string, Answer, Answer, boolean]>([
  ['the schema holds and the rest is unknown', 'yes', 'unknown', true],
  ['the schema holds and the rest is told', 'yes', 'told', true],
  ['a known answer is no', 'yes', 'no', false],
  ['the schema does not hold', 'no', 'yes', false],
  ['nobody knows about the schema', 'unknown', 'yes', false],
])('ready: %s', (_, schema, other, expected) => {
  expect(ready({ schema, other })).toBe(expected);
});
