import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHECK_TEXT_COUNT } from '../lib/classifier/check-texts.ts';
import {
  answerAll,
  type ChatStub,
  completion,
  send,
  startChatStub,
  validContent,
} from '../lib/classifier/testing/chat-stub.http.ts';
import type { CommandContext } from './command.ts';
import { command } from './commands/classifier.ts';
import { readEnv } from './env.ts';

const KEY = 'canary-turnip-key';
let folder: string;
let stub: ChatStub;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docket-check-'));
  stub = await startChatStub();
  const remote = {
    name: 'remote',
    adapter: 'openai-chat',
    base_url: stub.url,
    model: 'stub-model-1',
    api_key_env: 'MODELS_KEY',
  };
  await writeFile(path.join(folder, 'classifiers.json'), JSON.stringify({ classifiers: [remote] }));
  const row = (at: number) => ({
    content_id: `c${at}`,
    content_type: 'comment',
    revision: '1',
    source: 'ours',
    text: 'The new timetable starts on Monday.',
    gold: { hate: 0 },
  });
  const lines = Array.from({ length: 12 }, (_, at) => JSON.stringify(row(at)));
  await writeFile(path.join(folder, 'gold.ndjson'), `${lines.join('\n')}\n`);
});
afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  stub.respond = answerAll(0);
  stub.requests.length = 0;
});

async function check(name: string, values: Record<string, unknown> = {}, ...more: string[]) {
  const read = readEnv({ DOCKET_CLASSIFIERS: 'classifiers.json', DOCKET_CWD: folder, MODELS_KEY: KEY });
  if (!read.ok) throw new Error('unreadable');
  const context: Partial<CommandContext> = {
    positionals: ['check', name, ...more],
    values,
    env: read.env,
    cwd: folder,
    signal: new AbortController().signal,
    progress: () => {},
  };
  const outcome = await command.run(context as CommandContext);
  return { ...outcome, json: outcome.json as Record<string, never> };
}

describe('builtin', () => {
  test('holds to the schema on texts of our own, leaves nothing, and what was not asked stays on the list', async () => {
    const { exit, json, text } = await check('builtin');
    expect(exit).toBe(0);
    expect(json).toMatchObject({
      ready: true,
      unknown: ['quality', 'pace'],
      schema: { answer: 'yes', calls: CHECK_TEXT_COUNT, usable: CHECK_TEXT_COUNT },
      quality: { answer: 'unknown' },
      pace: { answer: 'unknown', per_minute: expect.any(Number) },
      data: { answer: 'told', leaves: false, key_variable: null },
    });
    expect(text.join('\n')).toContain('Still unknown: quality, pace');
  });
  test('is measured on gold; `--gold a b` names two files', async () => {
    const { exit, json } = await check('builtin', { gold: ['gold.ndjson'] }, 'gold.ndjson');
    expect(exit).toBe(0);
    expect(json).toMatchObject({ unknown: ['pace'], quality: { answer: 'told', rows: 24, failures: 0 } });
  });
  test('is judged by an objective, measured at the planned concurrency', async () => {
    const slow = await check('builtin', { backlog: '1000000000', objective: '1', concurrency: '4' });
    expect(slow).toMatchObject({ exit: 1, json: { ready: false, pace: { answer: 'no', concurrency: 4 } } });
    const fast = await check('builtin', { backlog: '1', objective: '1000', concurrency: '4' });
    expect(fast).toMatchObject({ exit: 0, json: { pace: { answer: 'yes' }, unknown: ['quality'] } });
  });
  test('says so where the sample is too small to measure so many calls at once', async () => {
    const { json } = await check('builtin', { backlog: '1', objective: '1000', concurrency: '16', sample: '20' });
    expect(json).toMatchObject({ pace: { answer: 'unknown', calls: 20 }, unknown: ['quality', 'pace'] });
  });
});

describe('a service on the network', () => {
  test('is asked with more texts where more calls at once are planned', async () => {
    const { json } = await check('remote', { concurrency: '32' });
    expect(json).toMatchObject({ schema: { answer: 'yes', calls: 64 } });
  });
  test('that now and then breaks the schema is a no, with the codes', async () => {
    let nth = 0;
    stub.respond = (request, response) =>
      send(response, completion(++nth % 5 === 0 ? 'canary-turnip prose' : validContent(request)));
    const outcome = await check('remote');
    expect(outcome).toMatchObject({
      exit: 1,
      json: { ready: false, schema: { answer: 'no', failure_codes: { invalid_json: 4 } } },
    });
    expect(JSON.stringify(outcome)).not.toContain('canary-turnip');
  });
  test('that refuses the key is not asked for the rest, nor for the gold', async () => {
    stub.respond = (_, response) => send(response, { error: { message: KEY } }, 401);
    const outcome = await check('remote', { gold: ['gold.ndjson'], concurrency: '2' });
    expect(outcome).toMatchObject({
      exit: 1,
      json: {
        outcome: 'config_error',
        schema: { answer: 'no', stopped: 'config_error' },
        quality: { answer: 'unknown' },
      },
    });
    expect(stub.requests.length).toBeLessThanOrEqual(2);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });
  test('is told with host, members and the name of the key, never its value', async () => {
    const outcome = await check('remote');
    expect(outcome.json).toMatchObject({
      data: { leaves: true, host: new URL(stub.url).host, encrypted: false, key_variable: 'MODELS_KEY', key_set: true },
    });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });
});

test('words that mean nothing are bad use', async () => {
  await expect(check('builtin', {}, 'stray.ndjson')).rejects.toMatchObject({ code: 'bad_usage' });
  await expect(check('builtin', { sample: '0' })).rejects.toMatchObject({ code: 'bad_option' });
});
