import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatStub, completion, send, startChatStub } from '../lib/classifier/testing/chat-stub.http.ts';
import { openClassifier, operatorClassifiers } from './classifiers.ts';
import type { CommandContext } from './command.ts';
import { command } from './commands/classifier.ts';
import { readEnv, type WorkerEnv } from './env.ts';

const KEY = 'canary-turnip-key';
let folder: string;
let stub: ChatStub;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docket-classifiers-'));
  stub = await startChatStub();
});
afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});

async function envWith(file: unknown): Promise<WorkerEnv> {
  await writeFile(path.join(folder, 'classifiers.json'), typeof file === 'string' ? file : JSON.stringify(file));
  const read = readEnv({ DOCKET_CLASSIFIERS: 'classifiers.json', DOCKET_CWD: folder, MODELS_KEY: KEY });
  if (!read.ok) throw new Error(read.problems.join());
  return read.env;
}

const entry = (changes: object = {}) => ({
  classifiers: [
    {
      name: 'remote',
      adapter: 'openai-chat',
      base_url: stub.url,
      model: 'stub-model-1',
      api_key_env: 'MODELS_KEY',
      ...changes,
    },
  ],
});

function check(env: WorkerEnv, ...positionals: string[]) {
  const context: Partial<CommandContext> = {
    positionals,
    values: {},
    env,
    cwd: folder,
    signal: new AbortController().signal,
    progress: () => {},
  };
  return command.run(context as CommandContext);
}

test('without a file there is only builtin, and it answers', async () => {
  const read = readEnv({});
  if (!read.ok) throw new Error('unreadable');
  expect(await operatorClassifiers(read.env)).toEqual([]);
  expect(openClassifier('builtin', [], read.env).name).toBe('builtin');
  expect(await check(read.env, 'check', 'builtin')).toMatchObject({ exit: 0, json: { outcome: 'ok' } });
});

test('a classifier of the file is asked with the key from its variable, found from where the user stands', async () => {
  const outcome = await check(await envWith(entry()), 'check', 'remote');
  expect(outcome).toMatchObject({
    exit: 0,
    json: { classifier: 'remote', outcome: 'ok', answered_by: 'stub-model-1' },
  });
  expect(stub.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('an answer that cannot be used is a no with its code, and nothing else of it is shown', async () => {
  stub.respond = (_, response) => send(response, completion('not json canary-turnip-output'));
  const outcome = await check(await envWith(entry()), 'check', 'remote');
  expect(outcome).toMatchObject({ exit: 1, json: { outcome: 'invalid_json' } });
  expect(JSON.stringify(outcome)).not.toContain('canary-turnip');
});

test.each<[string, unknown, string]>([
  ['a file that is no JSON', 'nonsense', 'invalid_json'],
  ['an unknown member', { classifiers: [], more: 1 }, 'invalid_classifiers'],
  [
    'an address in the clear',
    { classifiers: [{ name: 'a', adapter: 'openai-chat', base_url: 'http://models.example', model: 'm' }] },
    'invalid_classifiers',
  ],
])('%s is refused', async (_, file, code) => {
  await expect(operatorClassifiers(await envWith(file))).rejects.toMatchObject({ code });
});

test.each<[string, object, string]>([['nobody', {}, 'unknown_classifier']])(
  '%s %j cannot be opened',
  async (name, changes, code) => {
    await expect(check(await envWith(entry(changes)), 'check', name)).rejects.toMatchObject({ code });
  },
);

test('bad use is said to be so', async () => {
  await expect(check(await envWith(entry()))).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(check(await envWith(entry()), 'check', 'a', 'b')).rejects.toMatchObject({ code: 'bad_usage' });
});
