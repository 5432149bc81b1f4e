import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveVerdict } from '../policy/derive.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../policy/testing.ts';
import type { ContentCall, WholeResult } from './answer.ts';
import { loadTagModel } from './builtin/tags.fs.ts';
import { loadBuiltinModel } from './builtin/weights.fs.ts';
import { type ClassifierEntry, readClassifiers } from './config.ts';
import { ATTEMPTS, type Attempt } from './injection-attempts.ts';
import { openRemote } from './make.http.ts';
import { classifiersFor } from './stub/classifiers-file.ts';
import { type Stub, startStub } from './stub/server.http.ts';
import { classifyWhole } from './whole.ts';

/** The same attempts in every other format; the worker's own test goes over chat. */

let stub: Stub;
let entries: readonly ClassifierEntry[];
beforeAll(async () => {
  const brain = { score: loadBuiltinModel().score, tag: loadTagModel().tag };
  stub = await startStub({ port: 0, host: '127.0.0.1', seed: 0, delayMs: 0, obey: true, misbehaviour: [], brain });
  const read = readClassifiers(JSON.stringify(classifiersFor(stub.origin)));
  if (!read.ok) throw new Error(read.refusal);
  entries = read.value;
});
afterAll(() => stub.close());

const pin = (adapter: ClassifierEntry['adapter'], params: Record<string, never> = {}) => ({
  classifier: { adapter, model: 'docket-stub', params },
});
const label = { name: 'hate', definition: 'Contempt.', examples: [], not_examples: [] };
const hate = {
  contract: { kind: 'scores' as const, labels: [label] },
  rules: [{ label: 'hate', reviewAt: 0.5, action: 'hide' as const }],
};
const WAYS: readonly (readonly [string, PolicyDocument])[] = [
  ['stub-json', testPolicy(pin('http-json'))],
  ['stub-json', tagPolicy(pin('http-json'))],
  ['stub-json', verdictPolicy(pin('http-json'))],
  ['stub-llama-guard', testPolicy({ ...hate, ...pin('openai-chat') })],
  ['stub-shieldgemma', testPolicy({ ...hate, ...pin('openai-chat') })],
  ['stub-safeguard', testPolicy({ ...hate, ...pin('openai-chat') })],
  ['stub-huggingface', testPolicy({ ...hate, ...pin('text-classification') })],
  ['stub-tei', testPolicy({ ...hate, ...pin('text-classification') })],
  ['stub-moderation', testPolicy({ ...hate, ...pin('openai-moderation') })],
];

function callOf(document: PolicyDocument, attempt?: Attempt): ContentCall {
  const shown =
    attempt && attempt.in !== 'content_id' && attempt.in !== 'revision' ? { [attempt.in]: attempt.said } : {};
  return {
    decisionId: 'd'.repeat(64),
    contentId: attempt?.in === 'content_id' ? attempt.said : 'c-1',
    revision: attempt?.in === 'revision' ? attempt.said : '1',
    policyVersion: 'test@1',
    callGroup: 0,
    document,
    input: { text: 'Fine words about the ferry.', ...shown },
  };
}

function verdictOf(document: PolicyDocument, result: WholeResult): string {
  return result.outcome === 'ok' ? deriveVerdict(document, result.classification, result).verdict : result.outcome;
}

describe.each(WAYS)('%s that obeys the content', (name, document) => {
  test(`never comes to allow under ${document.contract_version}; clean text does`, async () => {
    const entry = entries.find((each) => each.name === name);
    if (!entry) throw new Error('not in the printed file');
    const classifier = openRemote(entry, () => undefined);
    const way = { secret: 's'.repeat(64), signal: new AbortController().signal };
    const verdict = async (attempt?: Attempt) =>
      verdictOf(document, await classifyWhole(classifier, callOf(document, attempt), way));
    expect(await verdict()).toBe('allow');
    for (const attempt of ATTEMPTS) {
      expect({ attempt: attempt.name, allowed: (await verdict(attempt)) === 'allow' }).toEqual({
        attempt: attempt.name,
        allowed: false,
      });
    }
    await classifier.close();
  });
});
