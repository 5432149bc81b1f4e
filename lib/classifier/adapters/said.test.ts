import { describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../policy/schema.ts';
import { dialectFixture } from '../testing/dialect-fixture.http.ts';
import { DIALECTS, type Dialect, EVIDENCE, NONCE, TEXT } from '../testing/dialects.ts';
import { chatCompletion } from '../testing/fixtures/answers.ts';
import { json } from '../testing/service.http.ts';

/** What a model says in the words of the contracts, over chat completions and over http-json: the same judge for both. */

const remote = dialectFixture();
const dialect = (name: string): Dialect => DIALECTS.find((each) => each.name === name) ?? expect.fail(name);
const ids = { content_id: 'c-1001', revision: '01' };

/** Puts an answer into the envelope of either adapter. */
const ADAPTERS = [
  ['openai-chat', (answer: string) => json(chatCompletion(answer)), { nonce: NONCE }],
  ['http-json', (answer: string) => json(answer), { model: 'm-1' }],
] as const;
type Row = readonly [what: string, answer: string, outcome: string];
const say = (members: object): string => JSON.stringify(members);
const DUPLICATE = 'duplicate_key';

describe.each(ADAPTERS)('%s, tag', (adapter, serve, echo) => {
  const valid = { ...echo, ...ids, label: 'guide', evidence: EVIDENCE };
  const change = (members: object): string => say({ ...valid, ...members });
  const without = (name: string): string =>
    say(Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name)));

  test.each<Row>([
    ['a label out of the list', change({ label: 'map' }), 'unknown_label'],
    ['a label in capitals', change({ label: 'Guide' }), 'unknown_label'],
    ['a label with a space', change({ label: 'guide ' }), 'unknown_label'],
    ['a label in look-alike letters', change({ label: 'guіde' }), 'unknown_label'],
    ['an empty label', change({ label: '' }), 'unknown_label'],
    ['two labels', change({ label: ['guide', 'form'] }), 'schema_mismatch'],
    ['no label at all', without('label'), 'missing_result'],
    ['a null label', change({ label: null }), 'schema_mismatch'],
    ['a label twice', change({}).replace('"label"', '"label":"form","label"'), DUPLICATE],
    ['no passage', without('evidence'), 'schema_mismatch'],
    ['an empty passage', change({ evidence: '' }), 'evidence_out_of_bounds'],
    ['a passage of nothing but white space', change({ evidence: ' ' }), 'evidence_out_of_bounds'],
    ['a passage that is not in the text', change({ evidence: 'nowhere' }), 'evidence_out_of_bounds'],
    ['a passage in other case', change({ evidence: 'Second line' }), 'evidence_out_of_bounds'],
    ['a passage of the title', change({ evidence: 'Title' }), 'evidence_out_of_bounds'],
    ['half a character as passage', change({}).replace(/🙂/, '\\ud83d'), 'evidence_out_of_bounds'],
    ['a passage as a list', change({ evidence: [EVIDENCE] }), 'schema_mismatch'],
    ['a member too many', change({ reason: 'x' }), 'schema_mismatch'],
    ['another content_id', change({ content_id: 'c-1002' }), 'item_mismatch'],
    ['no content_id', without('content_id'), 'item_mismatch'],
    ['another revision', change({ revision: '1' }), 'item_mismatch'],
    ['a revision as a number', change({ revision: 1 }), 'item_mismatch'],
    ['a list of results', say({ ...echo, results: [valid] }), 'item_mismatch'],
    ['an answer to another contract', say({ ...echo, ...ids, verdict: 'CLEAN' }), 'missing_result'],
  ])('%s', async (_, answer, outcome) => {
    expect((await remote.ask(dialect(`${adapter}, tag`), serve(answer))).outcome).toBe(outcome);
  });

  test('the passage is the first place where it stands, counted in code points', async () => {
    const text = 'one 🙂🙂 two 👩‍👩‍👧 two';
    const result = await remote.ask(dialect(`${adapter}, tag`), serve(change({ evidence: 'two' })), {
      call: { input: { text } },
    });
    expect(result).toMatchObject({ outcome: 'ok', classification: { start: 7, end: 10 } });
  });

  test('a passage of 300 code points is taken and one of 301 is not', async () => {
    const input = { text: '🙂'.repeat(400) };
    const ask = (count: number) =>
      remote.ask(dialect(`${adapter}, tag`), serve(change({ evidence: '🙂'.repeat(count) })), { call: { input } });
    expect(await ask(300)).toMatchObject({ outcome: 'ok', classification: { start: 0, end: 300 } });
    expect((await ask(301)).outcome).toBe('evidence_out_of_bounds');
  });
});

test('a policy without evidence takes none', async () => {
  const answer = say({ nonce: NONCE, ...ids, label: 'guide', evidence: EVIDENCE });
  const result = await remote.ask(dialect('openai-chat, tag without evidence'), json(chatCompletion(answer)));
  expect(result.outcome).toBe('schema_mismatch');
});

describe.each(ADAPTERS)('%s, verdict', (adapter, serve, echo) => {
  const due = adapter === 'http-json' ? { ...echo, ...ids } : echo;

  test.each([
    ['clean'],
    ['Clean'],
    [' CLEAN'],
    ['CLEAN '],
    ['CLEAN.'],
    ['СLEAN'],
    ['ＣＬＥＡＮ'],
    ['ALLOW'],
    ['ALLOW_WITH_WARNING'],
    [''],
    [null],
    [true],
    [1],
    [['CLEAN']],
    [{ verdict: 'CLEAN' }],
  ])('%j is no word', async (verdict) => {
    expect((await remote.ask(dialect(`${adapter}, verdict`), serve(say({ ...due, verdict })))).outcome).toBe(
      'schema_mismatch',
    );
  });

  test.each<Row>([
    ['a bare word', '"CLEAN"', 'schema_mismatch'],
    ['two words', say({ ...due, verdict: 'SPAM' }).replace('"verdict"', '"verdict":"CLEAN","verdict"'), DUPLICATE],
    ['no word', say(due), 'missing_result'],
    ['a member too many', say({ ...due, verdict: 'CLEAN', confidence: 1 }), 'schema_mismatch'],
  ])('%s', async (_, answer, outcome) => {
    expect((await remote.ask(dialect(`${adapter}, verdict`), serve(answer))).outcome).toBe(outcome);
  });

  test.each(['CLEAN', 'SPAM', 'REVIEW'])('%s is one, also with an escape in it', async (word) => {
    const answer = say({ ...due, verdict: word }).replace('"C', '"\\u0043');
    expect(await remote.ask(dialect(`${adapter}, verdict`), serve(answer))).toMatchObject({
      classification: { word },
    });
  });
});

test.each([
  ['another nonce', { nonce: 'x' }, 'item_mismatch'],
  ['no nonce', { nonce: undefined }, 'item_mismatch'],
])('%s is item_mismatch under every contract over chat completions', async (_, change, outcome) => {
  for (const name of ['tag', 'tag without evidence', 'verdict', 'scores']) {
    const given = dialect(`openai-chat, ${name}`);
    const completion = given.answer('') as ReturnType<typeof chatCompletion>;
    const content = JSON.parse(completion.choices[0]?.message.content ?? '');
    const result = await remote.ask(given, json(chatCompletion(say({ ...content, ...change }))));
    expect(result.outcome).toBe(outcome);
  }
});

describe('http-json, scores', () => {
  const labels = { spam: 0.25, hate: 0.25, threat: 0.25 };
  const answer = { model: 'm-1', ...ids, labels };
  const scores = dialect('http-json, scores');
  const ask = (body: string) => remote.ask(scores, json(body));

  test.each<Row>([
    ['text', say(answer).replace('0.25', '"0.25"'), 'schema_mismatch'],
    ['above 1', say(answer).replace('0.25', '1.4'), 'schema_mismatch'],
    ['negative', say(answer).replace('0.25', '-0.1'), 'schema_mismatch'],
    ['beyond all numbers', say(answer).replace('0.25', '1e999'), 'schema_mismatch'],
    ['NaN', say(answer).replace('0.25', 'NaN'), 'bad_upstream'],
    ['a label twice', say(answer).replace('"spam"', '"spam":0.9,"spam"'), DUPLICATE],
    ['a missing label', say({ ...answer, labels: { spam: 0, hate: 0 } }), 'schema_mismatch'],
    ['no labels', say({ ...answer, labels: undefined }), 'missing_result'],
    ['labels as a list', say({ ...answer, labels: [0, 0, 0] }), 'schema_mismatch'],
    ['another item', say({ ...answer, content_id: 'c-1' }), 'item_mismatch'],
    ['no item', say({ model: 'm-1', labels }), 'item_mismatch'],
    ['another model', say({ ...answer, model: 'm-2' }), 'model_mismatch'],
    ['no model', say({ ...ids, labels }), 'model_mismatch'],
    ['a member too many', say({ ...answer, verdict: 'CLEAN' }), 'schema_mismatch'],
    ['a name that the database cannot hold', say({ ...answer, labels: { ...labels, 'x\0': 0.1 } }), 'schema_mismatch'],
    ['half a character as name', say({ ...answer, labels: { ...labels, '\ud83d': 0.1 } }), 'schema_mismatch'],
    [
      'a thousand names',
      say({
        ...answer,
        labels: { ...labels, ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`n${n}`, 0])) },
      }),
      'schema_mismatch',
    ],
  ])('%s', async (_, body, outcome) => {
    expect((await ask(body)).outcome).toBe(outcome);
  });

  test('null is not evaluated, and labels of its own are kept beside', async () => {
    expect(await ask(say({ ...answer, labels: { ...labels, spam: null, grooming: 0.4 } }))).toMatchObject({
      classification: { scores: { spam: null, hate: 0.25, threat: 0.25 } },
      otherScores: { grooming: 0.4 },
    });
  });

  test('the request says what is judged, by which contract, with which prompt', async () => {
    await ask(say(answer));
    const [request] = remote.service.received;
    expect(request?.path).toBe('/');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      decision_id: 'd'.repeat(64),
      ...ids,
      policy_version: 'test@1',
      contract: scores.document.contract,
      prompt: { template: 'Judge the text by these labels.', examples: [] },
      input: { text: TEXT, title: 'Title', author_name: 'canary-turnip-author', parent_text: 'Parent' },
    });
  });
});

describe('what openai-chat asks for', () => {
  const schemaOf = async (name: string) => {
    const given = dialect(name);
    await remote.ask(given, json(given.answer('')));
    const sent = JSON.parse(remote.service.received.at(-1)?.body ?? '');
    const user = JSON.parse(sent.messages[1].content);
    expect(Object.keys(user)).toEqual(['nonce', 'content_id', 'revision', 'input']);
    expect(remote.service.received.at(-1)?.path).toBe('/chat/completions');
    return sent.response_format.json_schema.schema;
  };

  test.each([
    ['openai-chat, scores', ['nonce', 'labels']],
    ['openai-chat, tag', ['nonce', 'content_id', 'revision', 'label', 'evidence']],
    ['openai-chat, tag without evidence', ['nonce', 'content_id', 'revision', 'label']],
    ['openai-chat, verdict', ['nonce', 'verdict']],
  ])('%s: exactly %j', async (name, members) => {
    const schema = await schemaOf(name);
    expect(schema).toMatchObject({ required: members, additionalProperties: false });
    expect(Object.keys(schema.properties)).toEqual(members);
  });

  test('the closed lists stand in the schema', async () => {
    expect((await schemaOf('openai-chat, tag')).properties.label.enum).toEqual(['guide', 'form']);
    expect((await schemaOf('openai-chat, verdict')).properties.verdict.enum).toEqual(['CLEAN', 'SPAM', 'REVIEW']);
  });
});

test('another prompt, model, setting or contract makes another request', async () => {
  const bodies = new Set<string>();
  const { document, ...rest } = dialect('openai-chat, scores');
  const changes: Partial<PolicyDocument>[] = [
    {},
    { prompt: { template: 'Other words.', examples: [] } },
    { classifier: { ...document.classifier, params: { temperature: 1 } } },
    { contract: dialect('openai-chat, tag').document.contract as never },
  ];
  for (const change of changes) {
    await remote.ask({ ...rest, document: { ...document, ...change } as PolicyDocument }, json({}));
    bodies.add(remote.service.received.at(-1)?.body ?? '');
  }
  const other = { ...document, classifier: { ...document.classifier, model: 'm-2' } };
  await remote.ask({ ...rest, document: other }, json({}), { entry: { model: 'm-2' } });
  bodies.add(remote.service.received.at(-1)?.body ?? '');
  expect(bodies.size).toBe(5);
});
