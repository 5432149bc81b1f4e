import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../policy/document.ts';
import type { PolicyDocument, ScoresDocument, VerdictDocument } from '../../policy/schema.ts';
import { shippedPolicies } from '../../policy/shipped.fs.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../../policy/testing.ts';
import type { CallInput, WholeResult } from '../answer.ts';
import { DETECTORS_VERSION } from '../builtin/detectors.ts';
import { FACET_NAMES, FACETS } from '../builtin/tag-labels.ts';
import { loadTagModel } from '../builtin/tags.fs.ts';
import { loadBuiltinModel } from '../builtin/weights.fs.ts';
import { checkCall } from '../check.ts';
import { classifyWhole } from '../whole.ts';
import { builtin } from './builtin.fs.ts';

const classifier = builtin();
const scoresOf = (result: WholeResult) =>
  result.outcome === 'ok' && 'scores' in result.classification ? result.classification.scores : {};
const options = { secret: 's', signal: new AbortController().signal };
const pinned = (changes: Partial<ScoresDocument> = {}) =>
  testPolicy({ classifier: { adapter: 'builtin', model: classifier.models[0] }, ...changes });
const ask = (input: CallInput, document: PolicyDocument = pinned()) =>
  classifyWhole(
    classifier,
    { ...checkCall({ adapter: 'builtin', model: classifier.models[0] }), document, input },
    options,
  );

test('it answers the labels of the policy and keeps the others beside, under the id of its weights', async () => {
  const result = await ask({ text: 'Free prizes, click now' });
  expect(result).toMatchObject({ outcome: 'ok', model: loadBuiltinModel().modelId, segments: 1, units: 22 });
  if (result.outcome !== 'ok') return;
  expect(Object.keys(scoresOf(result))).toEqual(['spam', 'hate', 'threat']);
  expect([...Object.keys(scoresOf(result)), ...Object.keys(result.otherScores)].sort()).toEqual(
    [...loadBuiltinModel().labels].sort(),
  );
});

test('a title is read before the text; an author name and a parent are not read', async () => {
  const scores = async (input: CallInput) => {
    const result = await ask(input);
    return result.outcome === 'ok' ? scoresOf(result) : result;
  };
  expect(await scores({ text: 'click now', title: 'Free prizes' })).toEqual(
    await scores({ text: 'Free prizes\nclick now' }),
  );
  expect(await scores({ text: 'click now', title: 'Free prizes' })).not.toEqual(await scores({ text: 'click now' }));
  expect(await scores({ text: 'click now', author_name: 'Free prizes', parent_text: 'Free' })).toEqual(
    await scores({ text: 'click now' }),
  );
});

test('a policy that pins other weights or asks for a label it never learned stops the run', async () => {
  expect(
    (await ask({ text: 'x' }, pinned({ classifier: { adapter: 'builtin', model: '0'.repeat(64) } }))).outcome,
  ).toBe('model_mismatch');
  const labels = [{ name: 'boredom', definition: 'Dull.', examples: [], not_examples: [] }];
  const rules: ScoresDocument['rules'] = [{ label: 'boredom', reviewAt: 0.5, action: 'hide' }];
  expect((await ask({ text: 'x' }, pinned({ contract: { kind: 'scores', labels }, rules }))).outcome).toBe(
    'config_error',
  );
});

test('every shipped policy that pins the built-in classifier pins the shipped weights and labels they know', async () => {
  for (const { text } of await shippedPolicies()) {
    const read = readPolicy(text);
    if (!read.ok) throw new Error(read.refusal);
    if (read.value.document.classifier.adapter !== 'builtin') continue;
    expect((await ask({ text: 'The new timetable starts on Monday.' }, read.value.document)).outcome).toBe('ok');
  }
});

const [scoresModel, tagsModel] = [loadBuiltinModel().modelId, loadTagModel().modelId];
const facetPolicy = (labels: readonly string[], evidence = true) =>
  tagPolicy({
    contract: {
      kind: 'tag',
      evidence,
      labels: labels.map((name) => ({ name, definition: 'A kind.', examples: [], not_examples: [] })),
    },
    rules: { accept: [...labels], review: [] },
    classifier: { adapter: 'builtin', model: tagsModel, params: {} },
  });
const wordPolicy = (params: VerdictDocument['classifier']['params'], model = scoresModel) =>
  verdictPolicy({ classifier: { adapter: 'builtin', model, params } });

describe('a tag', () => {
  test('is one of the policy, under the id of its own weights, with a passage that stands in the text', async () => {
    const text = 'Count the stock twice.\nThe pharmacist puts recalled batches into quarantine. 👍';
    const result = await ask({ text }, facetPolicy(FACETS.care_setting));
    expect(result).toMatchObject({
      outcome: 'ok',
      model: tagsModel,
      classification: { tag: 'pharmacy', start: 23, end: 76 },
    });
    expect([...text].slice(23, 76).join('')).toBe('The pharmacist puts recalled batches into quarantine.');
  });

  test('has a passage that passes the last look for any text that holds more than space', async () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 600 }));
    await fc.assert(
      fc.asyncProperty(anyText, fc.constantFrom(...FACET_NAMES), async (text, facet) => {
        fc.pre(text.trim() !== '');
        expect((await ask({ text }, facetPolicy(FACETS[facet]))).outcome).toBe('ok');
      }),
    );
  });

  test('of a long text has a passage counted from the start of the whole', async () => {
    const text = `${'😀 Nothing to see. '.repeat(900)}The pharmacist counts the pharmacy stock.`;
    const result = await ask({ text }, facetPolicy(FACETS.care_setting));
    expect(result).toMatchObject({ outcome: 'ok', segments: 3 });
  });

  test.each(['', ' \n '])('cannot be shown in the text %j: a title is no passage of it', async (text) => {
    const input = { text, title: 'Minutes of the pharmacy group' };
    expect((await ask(input, facetPolicy(FACETS.document_type))).outcome).toBe('evidence_out_of_bounds');
    const bare = await ask(input, facetPolicy(FACETS.document_type, false));
    expect(bare).toMatchObject({
      outcome: 'ok',
      classification: { tag: 'minutes', start: null, passage_sha256: null },
    });
  });

  test('of a list it was not trained on stops the run', async () => {
    for (const labels of [['guide', 'form'], FACETS.document_type.slice(1), [...FACETS.document_type, 'poem']]) {
      expect((await ask({ text: 'x' }, facetPolicy(labels))).outcome).toBe('config_error');
    }
  });

  test('is not given by the weights for scores', async () => {
    const document = facetPolicy(FACETS.document_type);
    const wrong = { ...document, classifier: { ...document.classifier, model: scoresModel } };
    expect((await ask({ text: 'x' }, wrong)).outcome).toBe('model_mismatch');
    expect((await ask({ text: 'x' }, pinned({ classifier: { adapter: 'builtin', model: tagsModel } }))).outcome).toBe(
      'model_mismatch',
    );
  });
});

describe('a word', () => {
  const rule = [{ label: 'spam', reviewAt: 0.3, spamAt: 0.8 }];
  const word = async (input: CallInput, params: VerdictDocument['classifier']['params'] = { verdict_rule: rule }) => {
    const result = await ask(input, wordPolicy(params));
    return result.outcome === 'ok' && 'word' in result.classification ? result.classification.word : result.outcome;
  };

  test('follows the rule over the scores of the text', async () => {
    expect(await word({ text: 'The new timetable starts on Monday.' })).toBe('CLEAN');
    expect(await word({ text: 'WIN a FREE prize! Claim cash now, call 09061701461' })).toBe('SPAM');
  });
  test('an author name that advertises counts by itself, however long the text is', async () => {
    const text = 'Thank you, that helped me a lot with the garden. '.repeat(20);
    const author_name = 'WIN a FREE prize! Claim cash now, call 09061701461';
    expect(await word({ text })).toBe('CLEAN');
    expect(await word({ text, author_name })).toBe('SPAM');
  });
  test('a parent is not read', async () => {
    expect(await word({ text: 'Thank you.', parent_text: 'WIN a FREE prize! Claim cash now' })).toBe('CLEAN');
  });
  test('its scores are kept as evidence', async () => {
    const result = await ask({ text: 'Hello there.' }, wordPolicy({ verdict_rule: rule }));
    expect(Object.keys(JSON.parse(result.raw ?? ''))).toEqual([...loadBuiltinModel().labels]);
  });
  test.each<[string, VerdictDocument['classifier']['params']]>([
    ['no rule', {}],
    ['a rule over a label it never learned', { verdict_rule: [{ label: 'boredom', reviewAt: 0.5 }] }],
    ['a detector whose version is not pinned', { verdict_rule: [{ label: 'private_data', reviewAt: 0.5 }] }],
    ['another version of a detector', { verdict_rule: [{ label: 'scam', reviewAt: 0.5 }], detectors: 'detectors/0' }],
  ])('%s stops the run', async (_, params) => {
    expect(await word({ text: 'x' }, params)).toBe('config_error');
  });
  test('what detectors find counts where the rule names it, and nowhere else', async () => {
    const text = 'You can reach her at mia.sample@example.org after work.';
    const params = { verdict_rule: [{ label: 'private_data', reviewAt: 0.5 }], detectors: DETECTORS_VERSION };
    expect(await word({ text }, params)).toBe('REVIEW');
    const scores = await ask({ text });
    expect(scores.outcome === 'ok' && Object.keys({ ...scoresOf(scores), ...scores.otherScores })).not.toContain(
      'private_data',
    );
  });
});
