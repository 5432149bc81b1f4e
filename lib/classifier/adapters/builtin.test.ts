import { expect, test } from 'vitest';
import { readPolicy } from '../../policy/document.ts';
import type { PolicyDocument, ScoresDocument } from '../../policy/schema.ts';
import { shippedPolicies } from '../../policy/shipped.fs.ts';
import { testPolicy } from '../../policy/testing.ts';
import type { CallInput, WholeResult } from '../answer.ts';
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
