import { describe, expect, test } from 'vitest';
import type { ClassifierEntry } from './config.ts';
import { leaving } from './leaves.ts';

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
