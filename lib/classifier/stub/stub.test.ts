import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PolicyDocument } from '../../policy/schema.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../../policy/testing.ts';
import type { Call, CallResult, Classifier } from '../answer.ts';
import { loadTagModel } from '../builtin/tags.fs.ts';
import { loadBuiltinModel } from '../builtin/weights.fs.ts';
import { readClassifiers } from '../config.ts';
import type { FailureCode } from '../failure.ts';
import { openRemote } from '../make.http.ts';
import { STUB_MODEL } from './asked.ts';
import { classifiersFor } from './classifiers-file.ts';
import { drawFault, FAULT_NAMES, type Fault, readMisbehaviour, type WIRE_FAULTS } from './faults.ts';
import { type Stub, startStub } from './server.http.ts';

let stub: Stub;
const opened: Classifier[] = [];
const brain = { score: loadBuiltinModel().score, tag: loadTagModel().tag };
const options = { port: 0, host: '127.0.0.1', seed: 7, delayMs: 0, obey: false, misbehaviour: [], brain };

beforeAll(async () => {
  stub = await startStub(options);
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  await stub.close();
});
beforeEach(() => stub.misbehave([]));

const pinned = (adapter: PolicyDocument['classifier']['adapter'], params: object = {}) => ({
  adapter,
  model: STUB_MODEL,
  params: params as Record<string, never>,
});
const RULE = { verdict_rule: [{ label: 'spam', reviewAt: 0.3, spamAt: 0.8 }] };
const HATE = { labels: [{ name: 'hate', definition: 'Contempt.', examples: [], not_examples: [] }] };
const hateOnly = {
  contract: { kind: 'scores' as const, ...HATE },
  rules: [{ label: 'hate', reviewAt: 0.5, action: 'hide' as const }],
};

/** How each format is asked: the classifier of the printed file, and a policy that it can answer. */
const WAYS: Readonly<Record<string, readonly [string, PolicyDocument]>> = {
  'chat scores': ['stub-chat', testPolicy({ classifier: pinned('openai-chat') })],
  'chat tag': ['stub-chat', tagPolicy({ classifier: pinned('openai-chat') })],
  'chat verdict': ['stub-chat', verdictPolicy({ classifier: pinned('openai-chat') })],
  'llama-guard': ['stub-llama-guard', testPolicy({ ...hateOnly, classifier: pinned('openai-chat') })],
  shieldgemma: ['stub-shieldgemma', testPolicy({ ...hateOnly, classifier: pinned('openai-chat') })],
  safeguard: ['stub-safeguard', testPolicy({ ...hateOnly, classifier: pinned('openai-chat') })],
  moderation: ['stub-moderation', testPolicy({ ...hateOnly, classifier: pinned('openai-moderation') })],
  huggingface: ['stub-huggingface', testPolicy({ classifier: pinned('text-classification') })],
  tei: ['stub-tei', testPolicy({ classifier: pinned('text-classification') })],
  'tei verdict': ['stub-tei', verdictPolicy({ classifier: pinned('text-classification', RULE) })],
  'json scores': ['stub-json', testPolicy({ classifier: pinned('http-json') })],
  'json tag': ['stub-json', tagPolicy({ classifier: pinned('http-json') })],
  'json verdict': ['stub-json', verdictPolicy({ classifier: pinned('http-json') })],
};
const DEADLINE_MS = 400;
let keys = 0;

function open(way: string, deadlineMs = 5_000): { classifier: Classifier; document: PolicyDocument } {
  const [name, document] = WAYS[way] ?? [];
  const read = readClassifiers(JSON.stringify(classifiersFor(stub.origin)));
  if (!read.ok || !document) throw new Error('the printed file is not valid');
  const entry = read.value.find((each) => each.name === name);
  if (!entry) throw new Error('not in the printed file');
  const classifier = openRemote({ ...entry, deadline_ms: deadlineMs }, () => undefined);
  opened.push(classifier);
  return { classifier, document };
}

async function ask(way: string, changes: Partial<Call> = {}, deadlineMs?: number): Promise<CallResult> {
  const { classifier, document } = open(way, deadlineMs);
  const call: Call = {
    decisionId: 'd'.repeat(64),
    contentId: 'c-1',
    revision: '1',
    policyVersion: 'test@1',
    idempotencyKey: `${'d'.repeat(64)}:0:${++keys}`,
    nonce: 'n'.repeat(64),
    document,
    input: { text: 'The guide tells how a form is filled in. Then it ends.', author_name: 'Jo' },
    ...changes,
  };
  return classifier.classify(call, new AbortController().signal);
}

async function misbehaves(fault: Fault, way: string): Promise<string> {
  stub.misbehave([{ fault, share: 1 }]);
  const result = await ask(way, {}, fault === 'timeout' || fault === 'stall_body' ? DEADLINE_MS : undefined);
  return result.outcome === 'ok' ? ['ok', ...result.normalised].join(' ') : result.outcome;
}

describe('answers', () => {
  test.each(Object.keys(WAYS))('%s: the real adapter takes what the built-in model says', async (way) => {
    expect((await ask(way)).outcome).toBe('ok');
  });

  test('an advertisement is scored by the built-in model in every format that has scores', async () => {
    const input = { text: 'WIN a FREE prize now!!! Call 09061701461 to claim your cash. www.win.example' };
    const spam = brain.score(input.text).spam ?? 0;
    expect(spam).toBeGreaterThan(0.5);
    for (const way of ['chat scores', 'huggingface', 'tei', 'json scores']) {
      const result = await ask(way, { input });
      expect(result.outcome === 'ok' && 'scores' in result.classification && result.classification.scores.spam).toBe(
        spam,
      );
    }
  });

  test('a tag of the shipped policies comes from the tag head, with a passage of the text', async () => {
    const labels = ['guideline', 'procedure', 'form', 'letter', 'minutes', 'leaflet'].map((name) => ({
      name,
      definition: 'As shipped.',
      examples: [],
      not_examples: [],
    }));
    const contract = { kind: 'tag' as const, evidence: true, labels };
    const document = { ...tagPolicy({ classifier: pinned('openai-chat') }), contract };
    const result = await ask('chat tag', {
      document,
      input: { text: 'Minutes of the meeting of 3 May. Present: Ada, Bo.' },
    });
    expect(result).toMatchObject({
      outcome: 'ok',
      classification: { tag: expect.any(String), start: expect.any(Number) },
    });
  });

  test('the same key brings the same bytes', async () => {
    stub.misbehave([{ fault: 'unknown_label', share: 0.5 }]);
    for (let at = 0; at < 10; at++) {
      const idempotencyKey = `same-${at}`;
      const [first, again] = [
        await ask('chat scores', { idempotencyKey }),
        await ask('chat scores', { idempotencyKey }),
      ];
      expect(again.raw).toBe(first.raw);
      expect(again.outcome).toBe(first.outcome);
    }
  });
});

/** What the wire does ends alike whatever the format. */
const WIRE: Readonly<Record<(typeof WIRE_FAULTS)[number], FailureCode>> = {
  timeout: 'timeout',
  stall_body: 'timeout',
  reset: 'outcome_unknown',
  reset_body: 'transport_error',
  '429': 'rate_limited',
  '429_retry_after': 'rate_limited',
  '429_quota': 'quota_exhausted',
  '503': 'overloaded',
  '529': 'overloaded',
  '400_filtered': 'provider_filtered_input',
  '401': 'config_error',
  html: 'bad_upstream',
  html_as_json: 'bad_upstream',
  gzip_cut: 'transport_error',
  stream: 'incomplete_stream',
};

type Ends = FailureCode | 'ok' | 'ok whole_message_fence';
/** What an answer that is wrong ends as; `ok` in a format that has no place for it, and so answers well. */
const ANSWERS: readonly (readonly [Fault, string, Ends])[] = [
  ['invalid_json', 'chat scores', 'invalid_json'],
  ['invalid_json', 'chat tag', 'invalid_json'],
  ['invalid_json', 'chat verdict', 'invalid_json'],
  ['invalid_json', 'safeguard', 'invalid_json'],
  ['invalid_json', 'moderation', 'bad_upstream'],
  ['invalid_json', 'huggingface', 'bad_upstream'],
  ['invalid_json', 'tei', 'bad_upstream'],
  ['invalid_json', 'json scores', 'bad_upstream'],
  ['fenced', 'chat scores', 'ok whole_message_fence'],
  ['prose', 'chat scores', 'invalid_json'],
  ['prose', 'llama-guard', 'schema_mismatch'],
  ['prose', 'shieldgemma', 'schema_mismatch'],
  ['prose', 'safeguard', 'invalid_json'],
  ['two_objects', 'chat verdict', 'invalid_json'],
  ['two_objects', 'json tag', 'bad_upstream'],
  ['truncated', 'chat scores', 'truncated_output'],
  ['truncated', 'shieldgemma', 'truncated_output'],
  ['content_filter', 'chat tag', 'provider_filtered'],
  ['refusal', 'chat verdict', 'refused'],
  ['refusal', 'llama-guard', 'refused'],
  ['wrong_model', 'chat scores', 'model_mismatch'],
  ['wrong_model', 'moderation', 'model_mismatch'],
  ['wrong_model', 'json verdict', 'model_mismatch'],
  ['wrong_model', 'tei', 'ok'],
  ['duplicate_key', 'chat scores', 'duplicate_key'],
  ['duplicate_key', 'safeguard', 'duplicate_key'],
  ['duplicate_key', 'moderation', 'duplicate_key'],
  ['duplicate_key', 'huggingface', 'duplicate_key'],
  ['duplicate_key', 'json scores', 'duplicate_key'],
  ['unknown_label', 'chat scores', 'unknown_label'],
  ['unknown_label', 'chat tag', 'unknown_label'],
  ['unknown_label', 'json tag', 'unknown_label'],
  ['missing_label', 'chat scores', 'schema_mismatch'],
  ['missing_label', 'json scores', 'schema_mismatch'],
  ['missing_label', 'moderation', 'schema_mismatch'],
  ['score_string', 'chat scores', 'schema_mismatch'],
  ['score_string', 'json scores', 'schema_mismatch'],
  ['score_1_5', 'chat scores', 'schema_mismatch'],
  ['score_1_5', 'json scores', 'schema_mismatch'],
  ['score_1_5', 'tei', 'schema_mismatch'],
  ['score_nan', 'chat scores', 'invalid_json'],
  ['score_nan', 'json scores', 'bad_upstream'],
  ['score_nan', 'tei', 'bad_upstream'],
  ['score_null', 'chat scores', 'schema_mismatch'],
  ['score_null', 'huggingface', 'schema_mismatch'],
  ['wrong_nonce', 'chat scores', 'item_mismatch'],
  ['wrong_nonce', 'chat tag', 'item_mismatch'],
  ['missing_nonce', 'chat verdict', 'item_mismatch'],
  ['wrong_echo', 'chat tag', 'item_mismatch'],
  ['wrong_echo', 'json scores', 'item_mismatch'],
  ['wrong_echo', 'json verdict', 'item_mismatch'],
  ['evidence_not_in_text', 'chat tag', 'evidence_out_of_bounds'],
  ['evidence_not_in_text', 'json tag', 'evidence_out_of_bounds'],
  ['evidence_too_long', 'chat tag', 'evidence_out_of_bounds'],
  ['empty', 'chat scores', 'empty_output'],
  ['empty', 'shieldgemma', 'empty_output'],
  ['empty', 'json scores', 'bad_upstream'],
  ['empty', 'moderation', 'missing_result'],
  ['empty', 'huggingface', 'missing_result'],
  ['two_choices', 'chat scores', 'schema_mismatch'],
  ['two_choices', 'moderation', 'item_mismatch'],
  ['two_choices', 'huggingface', 'item_mismatch'],
  ['two_choices', 'tei', 'item_mismatch'],
  ['other_vocabulary', 'chat scores', 'unknown_label'],
  ['other_vocabulary', 'chat tag', 'unknown_label'],
  ['other_vocabulary', 'chat verdict', 'schema_mismatch'],
  ['other_vocabulary', 'huggingface', 'schema_mismatch'],
  ['other_vocabulary', 'moderation', 'schema_mismatch'],
  ['other_vocabulary', 'llama-guard', 'unknown_label'],
];

describe('misbehaviour ends as what it is named for', () => {
  test.each(Object.entries(WIRE) as [Fault, FailureCode][])('%s is %s, in each format', async (fault, code) => {
    for (const way of ['chat scores', 'moderation', 'huggingface', 'json tag']) {
      expect({ way, code: await misbehaves(fault, way) }).toEqual({ way, code });
    }
  });

  test.each(ANSWERS)('%s in %s is %s', async (fault, way, code) => {
    expect(await misbehaves(fault, way)).toBe(code);
  });

  test('every fault has its test', () => {
    expect([...new Set([...Object.keys(WIRE), ...ANSWERS.map(([fault]) => fault)])].sort()).toEqual(
      [...FAULT_NAMES].sort(),
    );
  });

  test('with no fault allowed through, nothing that goes wrong reads as an answer', async () => {
    for (const fault of FAULT_NAMES.filter((each) => !['timeout', 'stall_body'].includes(each))) {
      for (const way of ['chat scores', 'chat tag', 'chat verdict', 'json scores', 'json tag', 'json verdict']) {
        const before = stub.counts.byFault[fault] ?? 0;
        const outcome = await misbehaves(fault, way);
        const applied = (stub.counts.byFault[fault] ?? 0) > before;
        if (fault !== 'fenced') expect({ fault, way, ok: outcome === 'ok' }).toEqual({ fault, way, ok: !applied });
      }
    }
  });

  test('a wait that the service names is told', async () => {
    stub.misbehave([{ fault: '429_retry_after', share: 1 }]);
    expect(await ask('chat scores')).toMatchObject({ outcome: 'rate_limited', retryAfterMs: 1_000 });
  });
});

describe('what goes wrong is drawn', () => {
  test('in the shares that were asked for, and the same for the same seed and key', () => {
    const read = readMisbehaviour('503=0.2, unknown_label=.1');
    if (!read.ok) throw new Error(read.refusal);
    const draw = (seed: number) =>
      Array.from({ length: 4_000 }, (_, at) => drawFault(read.value, { seed, key: `k${at}`, repeat: 0 }, () => true));
    const count = (fault: Fault) => draw(1).filter((each) => each === fault).length / 4_000;
    expect(count('503')).toBeCloseTo(0.2, 1);
    expect(count('unknown_label')).toBeCloseTo(0.1, 1);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  test('anew for a repeat on the way, as a repeat often goes through', () => {
    const read = readMisbehaviour('timeout=0.5');
    if (!read.ok) throw new Error(read.refusal);
    const draws = Array.from({ length: 20 }, (_, repeat) =>
      drawFault(read.value, { seed: 1, key: 'k', repeat }, () => true),
    );
    expect(new Set(draws)).toEqual(new Set(['timeout', null]));
  });

  test.each([
    ['fire=1', 'unknown_fault'],
    ['503=2', 'bad_share'],
    ['503=-1', 'bad_share'],
    ['503=x', 'bad_share'],
    ['503=0.1,503=0.1', 'named_twice'],
    ['503=0.7,529=0.7', 'more_than_all'],
  ])('%s is refused as %s', (text, refusal) => {
    expect(readMisbehaviour(text)).toEqual({ ok: false, refusal });
  });
});

describe('the service itself', () => {
  const get = async (path: string) => (await fetch(`${stub.origin}${path}`)).json();

  test('says what it speaks, with a classifiers file that is valid as it stands', async () => {
    const said = (await get('/')) as { classifiers_file: object };
    expect(readClassifiers(JSON.stringify(said.classifiers_file))).toMatchObject({ ok: true });
    expect(said.classifiers_file).toEqual(classifiersFor(stub.origin));
  });

  test('a fault is turned on and off while it runs, and counted', async () => {
    const turn = (body: string) => fetch(`${stub.origin}/stub/misbehave`, { method: 'POST', body });
    expect((await turn('fire=1')).status).toBe(400);
    expect((await turn('503=1')).status).toBe(200);
    const before = stub.counts.byFault['503'] ?? 0;
    expect((await ask('chat scores')).outcome).toBe('overloaded');
    expect((await turn('')).status).toBe(200);
    expect((await ask('chat scores')).outcome).toBe('ok');
    expect(await get('/stub/counts')).toMatchObject({ by_fault: { 503: before + 1 } });
  });

  test('takes no body without an end, no request it does not know, and no name of another machine', async () => {
    const post = (path: string, body: string) => fetch(`${stub.origin}${path}`, { method: 'POST', body });
    expect((await post('/v1/moderations', `{"input":"${'x'.repeat(3_000_000)}"}`)).status).toBe(413);
    expect((await post('/v1/moderations', '{"input":[]}')).status).toBe(400);
    expect((await post('/v1/chat/completions', 'null')).status).toBe(400);
    expect((await fetch(`${stub.origin}/nowhere`)).status).toBe(404);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(stub.origin, { headers: { host: 'rebound.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject).end();
    });
    expect(status).toBe(403);
  });

  test('ends at once, with calls that it never answers open', async () => {
    const other = await startStub({ ...options, misbehaviour: [{ fault: 'timeout', share: 1 }] });
    const asked = fetch(`${other.origin}/predict`, { method: 'POST', body: '{"inputs":"x"}' });
    const ended = expect(asked).rejects.toThrow();
    while (other.counts.requests === 0) await new Promise((resolve) => setImmediate(resolve));
    await other.close();
    await ended;
  });

  test('shares no code with the adapters, the judge or their fixtures, so that a mistake is not made twice', () => {
    const folder = new URL('.', import.meta.url);
    const files = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const imports = [...readFileSync(new URL(file, folder), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(
        (match) => match[1],
      );
      const foreign = imports.filter((each) => !/^(?:\.\/|\.\.\/builtin\/|\.\.\/\.\.\/kernel\/)/.test(each ?? ''));
      expect({ file, foreign }).toEqual({ file, foreign: [] });
    }
  });
});
