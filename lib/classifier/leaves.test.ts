import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPolicy, verdictPolicy } from '../policy/testing.ts';
import type { ClassifierEntry } from './config.ts';
import { leaving } from './leaves.ts';
import { openRemote } from './make.http.ts';

const KEY = 'canary-turnip-key';
const entry = (changes: Partial<ClassifierEntry> = {}): ClassifierEntry => ({
  name: 'remote',
  adapter: 'openai-chat',
  base_url: 'https://models.example:8443/secret-path/v1',
  model: 'm',
  api_key_env: 'MODELS_KEY',
  ...changes,
});
const scores = { contract_version: 'scores/1' } as const;

describe('what leaves', () => {
  test('of builtin is nothing; what it reads depends on the contract', () => {
    expect(leaving(undefined, scores, () => KEY)).toMatchObject({
      leaves: false,
      host: null,
      members: ['text', 'title'],
    });
    expect(leaving(undefined, { contract_version: 'verdict/1' }, () => KEY).members).toContain('author_name');
  });
  test('is told with host and port, and never with path or key', () => {
    const told = leaving(entry(), scores, () => KEY);
    expect(told).toMatchObject({
      leaves: true,
      host: 'models.example:8443',
      encrypted: true,
      keyVariable: 'MODELS_KEY',
      keySet: true,
    });
    expect(JSON.stringify(told)).not.toMatch(/canary|secret-path/);
  });
  test.each<[string, Partial<ClassifierEntry>, string | undefined, object]>([
    ['a variable that is not set', {}, undefined, { keySet: false }],
    ['a variable that is empty', {}, '', { keySet: false }],
    ['no key', { api_key_env: undefined }, undefined, { keyVariable: null, keySet: null }],
    ['plain http', { base_url: 'http://127.0.0.1:9/v1' }, KEY, { encrypted: false }],
  ])('says %s', (_, changes, value, expected) => {
    expect(leaving(entry(changes), scores, () => value)).toMatchObject(expected);
  });
  test('names the nonce where it travels', () => {
    expect(leaving(entry(), scores, () => KEY).besides).toContain('nonce');
    expect(leaving(entry({ adapter: 'openai-moderation' }), scores, () => KEY).besides).not.toContain('nonce');
  });
});

/** What a service is really sent, against what is told. */
describe('every adapter sends what is told and nothing else of the content', () => {
  const MARKS = {
    text: 'turnip-text',
    title: 'turnip-title',
    author_name: 'turnip-author',
    parent_text: 'turnip-parent',
  };
  const OURS = {
    content_id: 'turnip-content',
    revision: 'turnip-revision',
    nonce: 'turnip-nonce',
    decision_id: 'turnip-decision',
  };
  let received = '';
  let server: Server;
  let base_url = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      received += JSON.stringify(request.headers);
      request.on('data', (chunk: Buffer) => {
        received += chunk.toString('utf8');
      });
      request.on('end', () => response.writeHead(503).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  const hate = [{ name: 'hate', definition: 'Contempt for a group.', examples: [], not_examples: [] }];
  const rule = [{ label: 'hate', reviewAt: 0.5 }];
  test.each<[ClassifierEntry['adapter'], ClassifierEntry['preset'], 'scores' | 'verdict']>([
    ['openai-chat', undefined, 'scores'],
    ['openai-chat', undefined, 'verdict'],
    ['openai-chat', 'llama-guard', 'scores'],
    ['openai-chat', 'llama-guard', 'verdict'],
    ['openai-chat', 'shieldgemma', 'scores'],
    ['openai-chat', 'safeguard', 'scores'],
    ['openai-moderation', undefined, 'scores'],
    ['openai-moderation', undefined, 'verdict'],
    ['text-classification', undefined, 'scores'],
    ['text-classification', undefined, 'verdict'],
    ['http-json', undefined, 'scores'],
  ])('%s, preset %s, %s', async (adapter, preset, kind) => {
    const described = entry({ adapter, preset, base_url, api_key_env: undefined });
    const classifier = { adapter, model: 'm', params: {} };
    const document =
      kind === 'scores'
        ? testPolicy({
            classifier,
            contract: { kind, labels: hate },
            rules: [{ label: 'hate', reviewAt: 0.5, action: 'hide' }],
          })
        : verdictPolicy({
            classifier: { ...classifier, params: adapter === 'openai-chat' && !preset ? {} : { verdict_rule: rule } },
          });
    received = '';
    const remote = openRemote(described, () => undefined);
    await remote.classify(
      {
        decisionId: OURS.decision_id,
        contentId: OURS.content_id,
        revision: OURS.revision,
        policyVersion: 'test@1',
        document,
        input: MARKS,
        idempotencyKey: 'turnip-key',
        nonce: OURS.nonce,
      },
      new AbortController().signal,
    );
    await remote.close();
    const told = leaving(described, document, () => undefined);
    const seen = (marks: Record<string, string>) =>
      Object.keys(marks).filter((name) => received.includes(marks[name] ?? ''));
    expect(seen(MARKS)).toEqual(Object.keys(MARKS).filter((name) => told.members.includes(name)));
    expect(seen(OURS)).toEqual(Object.keys(OURS).filter((name) => told.besides.includes(name)));
    expect(received.includes('turnip-key')).toBe(told.besides.includes('idempotency key'));
  });
});
