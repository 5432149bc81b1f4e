import { describe, expect, test } from 'vitest';
import { testPolicy } from '../policy/testing.ts';
import { mismatch, readClassifiers } from './config.ts';

const ENTRY = { name: 'remote', adapter: 'openai-chat', base_url: 'https://models.example/v1', model: 'm-1' };
const faults = (...entries: object[]) => {
  const read = readClassifiers(JSON.stringify({ classifiers: entries }));
  return read.ok ? [] : read.faults;
};

describe('the classifiers file', () => {
  test('takes an entry with the least and one with the most', () => {
    const most = {
      ...ENTRY,
      name: 'other',
      api_key_env: 'MODELS_KEY',
      params: { temperature: 0 },
      concurrency: 64,
      deadline_ms: 10_000,
      price_per_million_units: 0.5,
      preset: 'safeguard',
      allow_http: true,
    };
    expect(faults(ENTRY, most)).toEqual([]);
  });

  test.each<[string, object]>([
    ['another adapter', { adapter: 'magic' }],
    ['the name builtin', { name: 'builtin' }],
    ['a key in the file', { api_key: 'k' }],
    ['a key where a variable is named', { api_key_env: 'sk-123' }],
    ['no model', { model: '' }],
    ['no concurrency', { concurrency: 0 }],
    ['a deadline beyond half a lease', { deadline_ms: 30_000 }],
    ['an unknown preset', { preset: 'x' }],
    ['a preset of another adapter', { adapter: 'http-json', preset: 'safeguard' }],
  ])('refuses %s', (_, change) => {
    expect(faults({ ...ENTRY, ...change })).not.toEqual([]);
  });

  test('refuses a name twice', () => {
    expect(faults(ENTRY, ENTRY)).toEqual(['classifiers.1.name is there twice']);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://localhost.localdomain/',
    'http://7f000001.nip.io/',
    'http://100.100.100.200/',
    'http://metadata.google.internal/',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
    'https://user@models.example/',
    'gopher://x/',
    'http://0.0.0.0:3000/',
    'http://127.0.0.1.example/',
    'https://models.example/v1?key=k',
    'https://models.example/v1#k',
    'models.example/v1',
    '',
  ])('refuses the address %s', (base_url) => {
    expect(faults({ ...ENTRY, base_url })).toHaveLength(1);
  });

  test.each([
    'http://127.0.0.1:8080/v1',
    'http://localhost:8080',
    'http://[::1]:8080',
    'http://2130706433/',
    'https://[fd00::1]/',
  ])('takes the address %s', (base_url) => {
    expect(faults({ ...ENTRY, base_url })).toEqual([]);
  });

  test('plain http to another host needs allow_http', () => {
    const base_url = 'http://10.0.0.5/v1';
    expect(faults({ ...ENTRY, base_url })).toHaveLength(1);
    expect(faults({ ...ENTRY, base_url, allow_http: true })).toEqual([]);
  });

  test.each([['{"classifiers":[],"classifiers":[]}'], ['not json'], ['[]'], ['{}'], ['{"classifiers":[{}]}']])(
    'refuses %s',
    (text) => {
      expect(readClassifiers(text).ok).toBe(false);
    },
  );

  test('no fault repeats a value of the file', () => {
    const told = faults({
      ...ENTRY,
      name: 'canary-turnip',
      base_url: 'http://canary-turnip/',
      model: 'canary-turnip\n',
      params: 'canary-turnip',
    });
    expect(told.join('\n')).not.toContain('canary-turnip');
  });
});

test('a classifier serves exactly the adapter and model that a policy pins', () => {
  const policy = testPolicy();
  expect(mismatch({ adapter: 'builtin', models: ['scripted-1'] }, policy)).toBeNull();
  expect(mismatch({ adapter: 'openai-chat', models: ['scripted-1'] }, policy)).toMatchObject({
    refusal: 'classifier_mismatch',
  });
  expect(mismatch({ adapter: 'builtin', models: ['scripted-2'] }, policy)).toMatchObject({
    refusal: 'classifier_mismatch',
  });
});
