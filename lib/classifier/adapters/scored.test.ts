import { describe, expect, test } from 'vitest';
import { tagPolicy, testPolicy, verdictPolicy } from '../../policy/testing.ts';
import type { CallResult } from '../answer.ts';
import type { ClassifierEntry } from '../config.ts';
import { dialectFixture } from '../testing/dialect-fixture.http.ts';
import type { Dialect } from '../testing/dialects.ts';
import {
  huggingFaceFlat,
  huggingFaceLoading,
  huggingFaceNested,
  moderation,
  teiErrors,
  teiPredict,
} from '../testing/fixtures/answers.ts';
import { json } from '../testing/service.http.ts';

/** Services that give scores for labels of their own: how they become the policy's, and what is no answer. */

const remote = dialectFixture();
type Params = NonNullable<Dialect['document']['classifier']['params']>;
type Spec = { readonly adapter: ClassifierEntry['adapter']; readonly params?: Params };

const labels = (...names: string[]) => names.map((name) => ({ name, definition: 'x', examples: [], not_examples: [] }));
const scoring = ({ adapter, params = {} }: Spec, ...names: string[]) =>
  testPolicy({
    classifier: { adapter, model: 'm-1', params },
    contract: { kind: 'scores', labels: labels(...names) },
    rules: names.map((label) => ({ label, reviewAt: 0.5, action: 'hide' })),
  });
const wording = ({ adapter, params = {} }: Spec) => verdictPolicy({ classifier: { adapter, model: 'm-1', params } });
const tagging = ({ adapter, params = {} }: Spec, evidence = false) =>
  tagPolicy({ classifier: { adapter, model: 'm-1', params }, contract: { ...tagPolicy().contract, evidence } });
const ask = (document: Dialect['document'], body: unknown, status = 200): Promise<CallResult> => {
  const { adapter } = document.classifier;
  if (adapter === 'builtin') throw new Error('builtin is asked otherwise');
  return remote.ask({ adapter, document }, json(body, status));
};
const sent = () => JSON.parse(remote.service.received.at(-1)?.body ?? '');

describe('openai-moderation', () => {
  const spec: Spec = { adapter: 'openai-moderation' };

  test('labels stand for categories by a closed table, the highest counts, and what nobody used is kept', async () => {
    const document = scoring(spec, 'threat', 'hate', 'self_harm', 'violence/graphic');
    expect(await ask(document, moderation())).toMatchObject({
      classification: { scores: { threat: 0.25, hate: 0.25, self_harm: 0.0002, 'violence/graphic': 0.005 } },
      otherScores: { harassment: 0.011, illicit: 0.25, sexual: 0.003, violence: 0.04 },
    });
    expect(sent()).toEqual({ model: 'm-1', input: 'Title\n\ncanary-turnip-text "quoted" \\ 🙂\nsecond line' });
    expect(remote.service.received.at(-1)?.path).toBe('/moderations');
  });

  test('a mapping of the policy goes before the table', async () => {
    const document = scoring({ ...spec, params: { labels: { threat: ['violence', 'illicit'] } } }, 'threat');
    expect(await ask(document, moderation())).toMatchObject({ classification: { scores: { threat: 0.25 } } });
  });

  test('null is not evaluated, never 0, also where only one of two categories is null', async () => {
    const document = scoring(spec, 'illicit', 'threat', 'hate');
    const answer = moderation({ illicit: null, 'harassment/threatening': null, 'illicit/violent': null });
    expect(await ask(document, answer)).toMatchObject({
      classification: { scores: { illicit: null, threat: null, hate: 0.25 } },
      otherScores: { 'illicit/violent': null },
    });
  });

  test('a category nobody knows is kept and shown', async () => {
    const answer = moderation({ 'new/category': 0.4 });
    expect(await ask(scoring(spec, 'hate'), answer)).toMatchObject({ otherScores: { 'new/category': 0.4 } });
  });

  const one = moderation().results[0];
  const scores = (change: object) => ({ ...moderation(), results: [{ ...one, category_scores: change }] });
  test('a wrong score under a name of ours that stands for nothing of ours does not vanish', async () => {
    const answer = scores({ 'harassment/threatening': 0, 'hate/threatening': 0, threat: 'CLEAN' });
    expect((await ask(scoring(spec, 'threat'), answer)).outcome).toBe('schema_mismatch');
    expect((await ask(scoring(spec, 'threat'), moderation({ threat: 0.4 }))).outcome).toBe('ok');
  });

  test.each<[string, unknown, string]>([
    ['a category the policy needs is not there', scores({ harassment: 0 }), 'schema_mismatch'],
    ['one of two categories is not there', scores({ hate: 0 }), 'schema_mismatch'],
    ['two results for one text', { ...moderation(), results: [one, one] }, 'item_mismatch'],
    ['no result', { ...moderation(), results: [] }, 'missing_result'],
    ['a result without scores', { ...moderation(), results: [{ flagged: false }] }, 'missing_result'],
    ['results that are no list', { ...moderation(), results: one }, 'bad_upstream'],
    ['scores as a list', scores([0.1]), 'schema_mismatch'],
    ['text as score', scores({ hate: '0.95', 'hate/threatening': 0 }), 'schema_mismatch'],
    ['a wrong score beside a null', scores({ hate: 1.4, 'hate/threatening': null }), 'schema_mismatch'],
    ['true as score', scores({ hate: true, 'hate/threatening': 0 }), 'schema_mismatch'],
    ['a wrong score of an unused category', scores({ hate: 0, 'hate/threatening': 0, x: 2 }), 'schema_mismatch'],
    ['another model', { ...moderation(), model: 'm-2' }, 'model_mismatch'],
    ['a model that is no name', { ...moderation(), model: 'm-1\0' }, 'model_mismatch'],
  ])('%s', async (_, body, outcome) => {
    expect((await ask(scoring(spec, 'hate'), body)).outcome).toBe(outcome);
  });

  test('spam is no category: a policy that needs it fails and is never 0', async () => {
    expect((await ask(scoring(spec, 'spam'), moderation())).outcome).toBe('schema_mismatch');
  });

  test('it shows no tag', async () => {
    expect((await ask(tagging(spec), moderation())).outcome).toBe('config_error');
    expect(remote.service.received).toHaveLength(0);
  });
});

describe('text-classification', () => {
  const spec: Spec = { adapter: 'text-classification' };
  const tei: Spec = { ...spec, params: { server: 'tei' } };
  const list = [
    { label: 'toxic', score: 0.98 },
    { label: 'insult', score: 0.4 },
    { label: 'threat', score: 0.01 },
  ];

  test('the nested list of Hugging Face, the flat one of the task and the one of TEI are the same answer', async () => {
    for (const [given, body] of [
      [spec, huggingFaceNested(list)],
      [spec, huggingFaceFlat(list)],
      [tei, teiPredict(list)],
    ] as const) {
      expect(await ask(scoring(given, 'toxic', 'threat'), body)).toMatchObject({
        classification: { scores: { toxic: 0.98, threat: 0.01 } },
        otherScores: { insult: 0.4 },
      });
    }
  });

  test('top_k is always said; TEI is asked for probabilities and may not cut the text', async () => {
    const text = 'Title\n\ncanary-turnip-text "quoted" \\ 🙂\nsecond line';
    await ask(scoring({ ...spec, params: { top_k: 7 } }, 'toxic'), huggingFaceNested(list));
    expect(sent()).toEqual({ inputs: text, parameters: { top_k: 7, function_to_apply: 'sigmoid' } });
    expect(remote.service.received.at(-1)?.path).toBe('/');
    await ask(tagging(spec), huggingFaceNested(list));
    expect(sent().parameters).toEqual({ top_k: 100, function_to_apply: 'softmax' });
    await ask(scoring(tei, 'toxic'), teiPredict(list));
    expect(sent()).toEqual({ inputs: text, raw_scores: false, truncate: false });
    expect(remote.service.received.at(-1)?.path).toBe('/predict');
  });

  test.each<[string, unknown, string]>([
    ['a label that was cut off is unknown, not 0', list.slice(0, 2), 'schema_mismatch'],
    ['an empty list', [], 'missing_result'],
    ['an empty list in a list', [[]], 'missing_result'],
    ['two lists for one text', [list, list], 'item_mismatch'],
    ['a list beside labels', [...list, list], 'item_mismatch'],
    ['a label twice', [...list, list[0]], 'duplicate_key'],
    ['an object', { label: 'toxic', score: 1 }, 'bad_upstream'],
    ['a label without a score', [...list, { label: 'x' }], 'schema_mismatch'],
    ['a score without a label', [...list, { score: 0.5 }], 'schema_mismatch'],
    ['text as score', [{ label: 'toxic', score: '0.9' }, ...list.slice(1)], 'schema_mismatch'],
    ['a raw score', [{ label: 'toxic', score: 3.7 }, ...list.slice(1)], 'schema_mismatch'],
    ['null as score', [{ label: 'toxic', score: null }, ...list.slice(1)], 'schema_mismatch'],
    ['a label in capitals', [{ label: 'TOXIC', score: 0.9 }, ...list.slice(1)], 'schema_mismatch'],
    ['a number in the list', [...list, 7], 'schema_mismatch'],
  ])('%s', async (_, body, outcome) => {
    for (const given of [spec, tei]) {
      expect((await ask(scoring(given, 'toxic', 'insult', 'threat'), body)).outcome).toBe(outcome);
    }
  });

  test.each<[string, readonly [number, unknown], string]>([
    ['a batch too large', teiErrors.batch, 'content_too_large'],
    ['a text that cannot be tokenised', teiErrors.tokenization, 'content_too_large'],
    ['a failure of inference', teiErrors.inference, 'overloaded'],
    ['overload', teiErrors.overloaded, 'rate_limited'],
    ['a model that is being loaded', [503, huggingFaceLoading], 'overloaded'],
    ['a request nobody understands', [422, { error: 'x', error_type: 'validation' }], 'config_error'],
  ])('%s', async (_, [status, body], outcome) => {
    expect((await ask(scoring(tei, 'toxic'), body, status)).outcome).toBe(outcome);
  });

  const tags = (guide: number, form: number, more: readonly object[] = []) => [
    { label: 'guide', score: guide },
    { label: 'form', score: form },
    ...more,
  ];
  test.each<[string, unknown, string]>([
    ['a tie is no answer', tags(0.5, 0.5), 'schema_mismatch'],
    ['a label that was cut off', tags(0.9, 0).slice(0, 1), 'schema_mismatch'],
    ['another label is the highest', tags(0.3, 0.2, [{ label: 'map', score: 0.5 }]), 'unknown_label'],
    ['a raw score', tags(4, 0.2), 'schema_mismatch'],
  ])('tag: %s', async (_, body, outcome) => {
    expect((await ask(tagging(spec), body)).outcome).toBe(outcome);
  });

  test('the highest label is the tag, and the scores are kept beside it', async () => {
    expect(await ask(tagging(spec), tags(0.2, 0.7, [{ label: 'map', score: 0.1 }]))).toMatchObject({
      classification: { tag: 'form', start: null, end: null, passage_sha256: null },
      otherScores: { guide: 0.2, form: 0.7, map: 0.1 },
    });
  });

  test('a policy that wants a passage asks nothing', async () => {
    expect((await ask(tagging(spec, true), tags(0.9, 0.1))).outcome).toBe('config_error');
    expect(remote.service.received).toHaveLength(0);
  });
});

describe.each<[string, Spec, (spam: number | null) => unknown]>([
  [
    'openai-moderation',
    { adapter: 'openai-moderation', params: { labels: { spam: ['illicit'] } } },
    (illicit) => moderation({ illicit }),
  ],
  [
    'text-classification',
    { adapter: 'text-classification', params: { labels: { spam: ['LABEL_1'] } } },
    (spam) => [[{ label: 'LABEL_1', score: spam ?? 0.3 }]],
  ],
])('a word by rule, %s', (_, spec, body) => {
  const rule = { verdict_rule: [{ label: 'spam', reviewAt: 0.3, spamAt: 0.8 }] };
  const document = wording({ ...spec, params: { ...spec.params, ...rule } });

  test.each<[number | null, string]>([
    [0, 'CLEAN'],
    [0.29, 'CLEAN'],
    [0.3, 'REVIEW'],
    [null, 'REVIEW'],
    [0.8, 'SPAM'],
    [1, 'SPAM'],
  ])('%s is %s', async (score, word) => {
    expect(await ask(document, body(score))).toMatchObject({ classification: { word } });
  });

  test("the author's name is judged with the text", async () => {
    await ask(document, body(0));
    expect(remote.service.received.at(-1)?.body).toContain('canary-turnip-author\\n\\nTitle\\n\\n');
  });

  test('without a rule, or with one that cannot be read, nothing is asked', async () => {
    const broken: Params[] = [{}, { verdict_rule: [] }, { verdict_rule: [{ label: 'spam', reviewAt: 2 }] }];
    for (const params of broken) {
      expect((await ask(wording({ ...spec, params }), body(0))).outcome).toBe('config_error');
    }
    expect(remote.service.received).toHaveLength(0);
  });

  test('a label of the rule that the answer lacks is no answer', async () => {
    const missing = { verdict_rule: [{ label: 'grooming', reviewAt: 0.3 }] };
    expect((await ask(wording({ ...spec, params: missing }), body(0))).outcome).toBe('schema_mismatch');
  });
});
