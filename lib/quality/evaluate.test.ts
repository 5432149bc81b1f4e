import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Gold, readGold } from '../content/import/gold.ts';
import { parseJson } from '../kernel/json.ts';
import { wilsonInterval } from '../kernel/wilson.ts';
import type { Classification } from '../policy/classification.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../policy/testing.ts';
import { type AskedRow, evaluate, truthsOf } from './evaluate.ts';

const scores = testPolicy();
const row = (truths: AskedRow['truths'], answer: Classification, stratum = 's'): AskedRow => ({
  stratum,
  truths,
  answer: { classification: answer },
});
const spam = (truth: 0 | 1, score: number | null, stratum = 's') =>
  row({ spam: truth }, { scores: { spam: score, hate: 0, threat: 0 } }, stratum);
const of = (rows: readonly AskedRow[], label: string, stratum: string | null = null, policy: PolicyDocument = scores) =>
  evaluate(policy, rows).byLabel.find((each) => each.label === label && each.stratum === stratum);

describe('counts', () => {
  test('follow reviewAt, which itself is a yes', () => {
    const rows = [spam(1, 0.4), spam(1, 0.39), spam(0, 0.4), spam(0, 0.39), spam(0, 0)];
    expect(of(rows, 'spam')).toMatchObject({ tp: 1, fn: 1, fp: 1, tn: 2, precision: 0.5, recall: 0.5 });
  });
  test('carry the intervals of Wilson', () => {
    const rows = [...Array.from({ length: 8 }, () => spam(1, 0.9)), spam(1, 0), spam(0, 0.9)];
    expect(of(rows, 'spam')).toMatchObject({
      precisionInterval: wilsonInterval(8, 9),
      recallInterval: wilsonInterval(8, 9),
    });
  });
  test('of nothing are null and no percentage', () => {
    expect(of([spam(0, 0)], 'spam')).toMatchObject({
      precision: null,
      precisionInterval: null,
      recall: null,
      auc: null,
    });
    expect(evaluate(scores, [])).toMatchObject({ asked: 0, failures: 0, coverage: null, coverageInterval: null });
  });
  test('leave a label alone that the gold of a row does not name', () => {
    expect(of([spam(1, 0.9)], 'hate')).toMatchObject({ tp: 0, fp: 0, fn: 0, tn: 0, unanswered: 0 });
  });
  test('are given for all rows and for every source that has gold for the label, in order of their bytes', () => {
    const rows = [spam(1, 0.9, 'b'), spam(0, 0.9, 'a'), spam(0, 0, 'Z')];
    const { byLabel } = evaluate(scores, rows);
    expect(byLabel.filter(({ label }) => label === 'spam').map(({ stratum }) => stratum)).toEqual([
      null,
      'Z',
      'a',
      'b',
    ]);
    expect(byLabel.filter(({ label }) => label === 'hate').map(({ stratum }) => stratum)).toEqual([null]);
    expect(of(rows, 'spam', 'b')).toMatchObject({ tp: 1, fp: 0 });
  });
  test('add up: each row of a label is in exactly one', () => {
    const score = fc.option(fc.constantFrom(0, 0.39, 0.4, 1), { nil: null });
    const any = fc.record({
      truth: fc.constantFrom<0 | 1>(0, 1),
      score,
      failed: fc.boolean(),
      stratum: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(any), (all) => {
        const rows = all.map(
          ({ truth, score, failed, stratum }): AskedRow =>
            failed ? { stratum, truths: { spam: truth }, answer: { failure: 'timeout' } } : spam(truth, score, stratum),
        );
        const parts = evaluate(scores, rows).byLabel.filter(({ label }) => label === 'spam');
        const total = (each: (typeof parts)[number]) =>
          each.tp + each.fp + each.fn + each.tn + each.unanswered + each.notEvaluated;
        const [whole, ...strata] = parts.map(total);
        expect(whole).toBe(rows.length);
        expect(strata.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
      }),
    );
  });
});

describe('a row without an answer', () => {
  const failed: AskedRow = { stratum: 's', truths: { spam: 1 }, answer: { failure: 'timeout' } };
  test('is no miss and no hit, and lowers the coverage', () => {
    const found = evaluate(scores, [failed, spam(1, 0.9), spam(1, 0.9), spam(1, 0.9)]);
    expect(found).toMatchObject({ asked: 4, failures: 1, failureCodes: { timeout: 1 }, coverage: 0.75 });
    expect(found.byLabel[0]).toMatchObject({ tp: 3, fn: 0, unanswered: 1, recall: 1 });
  });
  test('is not the same as a label that was not evaluated', () => {
    expect(of([spam(1, null)], 'spam')).toMatchObject({ fn: 0, unanswered: 0, notEvaluated: 1, recall: null });
  });
});

describe('the area under the curve', () => {
  test('agrees with counting pairs one by one, ties half', () => {
    const any = fc.record({ truth: fc.constantFrom<0 | 1>(0, 1), score: fc.constantFrom(0, 0.1, 0.4, 0.5, 0.9, 1) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (all) => {
        const pairs = all.flatMap((a) =>
          a.truth === 1 ? all.filter((b) => b.truth === 0).map((b) => [a.score, b.score]) : [],
        );
        const won = pairs.reduce((sum, [a = 0, b = 0]) => sum + (a > b ? 1 : a === b ? 0.5 : 0), 0);
        const auc =
          of(
            all.map(({ truth, score }) => spam(truth, score)),
            'spam',
          )?.auc ?? null;
        if (pairs.length === 0) expect(auc).toBeNull();
        else expect(auc).toBeCloseTo(won / pairs.length, 10);
      }),
    );
  });
});

describe('tags and words', () => {
  const tag = tagPolicy();
  const tagged = (truth: string, said: string) =>
    row(
      { guide: truth === 'guide' ? 1 : 0, form: truth === 'form' ? 1 : 0 },
      { tag: said, start: 0, end: 1, passage_sha256: 'x' },
    );
  test('are judged each against the rest, without an area where there is no score', () => {
    const rows = [tagged('guide', 'guide'), tagged('guide', 'form'), tagged('form', 'form')];
    expect(of(rows, 'guide', null, tag)).toMatchObject({ tp: 1, fn: 1, fp: 0, tn: 1, auc: null });
    expect(of(rows, 'form', null, tag)).toMatchObject({ tp: 1, fn: 0, fp: 1, tn: 1 });
  });
  test('of a verdict policy are CLEAN, SPAM and REVIEW', () => {
    const policy = verdictPolicy();
    const truths = { CLEAN: 0, SPAM: 1, REVIEW: 0 } as const;
    const { byLabel } = evaluate(policy, [row(truths, { word: 'REVIEW' })]);
    expect(
      byLabel.filter(({ stratum }) => stratum === null).map(({ label, tp, fp, fn, tn }) => [label, tp, fp, fn, tn]),
    ).toEqual([
      ['CLEAN', 0, 0, 0, 1],
      ['SPAM', 0, 0, 1, 0],
      ['REVIEW', 0, 1, 0, 0],
    ]);
  });
});

describe('gold', () => {
  const gold = (json: string, type = 'comment'): Gold | null => {
    const parsed = parseJson(json);
    const read = parsed.ok ? readGold(parsed.value, type) : 'bad';
    if (read === 'bad') throw new Error('bad gold');
    return read;
  };
  test.each<[string, Gold | null, PolicyDocument, object | null]>([
    ['names labels one by one; the others are unknown', gold('{"spam":1,"hate":0}'), scores, { spam: 1, hate: 0 }],
    ['of labels the policy does not know says nothing', gold('{"boredom":1}'), scores, null],
    ['that is a verdict says nothing about labels', gold('"restrict"'), scores, null],
    ['that is absent says nothing', null, scores, null],
    [
      'of one tag makes the others false',
      gold('{"form":1,"other_facet":1}', 'document'),
      tagPolicy(),
      { guide: 0, form: 1 },
    ],
    ['of a tag that is false leaves the others unknown', gold('{"form":0}', 'document'), tagPolicy(), { form: 0 }],
    ['of one word makes the others false', gold('"SPAM"'), verdictPolicy(), { CLEAN: 0, SPAM: 1, REVIEW: 0 }],
    ['in our own verdicts says nothing about words', gold('"allow"'), verdictPolicy(), null],
  ])('%s', (_, given, policy, truths) => {
    expect(truthsOf(policy, given)).toEqual(truths);
  });
});
