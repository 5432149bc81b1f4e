import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtin } from '../lib/classifier/adapters/builtin.fs.ts';
import type { Classifier } from '../lib/classifier/answer.ts';
import { openRemote } from '../lib/classifier/make.http.ts';
import {
  type ChatStub,
  completion,
  send,
  startChatStub,
  validContent,
} from '../lib/classifier/testing/chat-stub.http.ts';
import { testPolicy } from '../lib/policy/testing.ts';
import { evaluateGold, type Judged } from './evaluate-gold.ts';
import { evaluationJson, evaluationLines } from './evaluation-text.ts';

let folder: string;
let stub: ChatStub;
let remote: Classifier;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docket-gold-'));
  stub = await startChatStub();
  remote = openRemote(
    { name: 'remote', adapter: 'openai-chat', base_url: stub.url, model: 'stub-model-1' },
    () => undefined,
  );
});
afterAll(async () => {
  await remote.close();
  await stub.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  stub.requests.length = 0;
});

const local = builtin();
const [model] = local.models;
const pinning = (adapter: 'builtin' | 'openai-chat', pinned: string): Judged => ({
  policyVersion: 'test@1',
  document: testPolicy({ classifier: { adapter, model: pinned, params: {} } }),
});

type Row = { text: string; gold?: unknown; source?: string };
async function goldFile(rows: readonly (Row | string)[], name = 'gold.ndjson'): Promise<string> {
  const lines = rows.map((row, at) =>
    typeof row === 'string'
      ? row
      : JSON.stringify({ content_id: `c-${name}-${at}`, content_type: 'comment', revision: '1', source: 'a', ...row }),
  );
  await writeFile(path.join(folder, name), `${lines.join('\n')}\n`);
  return name;
}

function evaluated(
  files: readonly string[],
  options: { classifier?: Classifier; policy?: Judged; signal?: AbortSignal } = {},
) {
  const { classifier = local, policy = pinning('builtin', model), signal = new AbortController().signal } = options;
  const context = { cwd: folder, signal, progress: () => {} };
  return evaluateGold(context, files, { classifier, policy, concurrency: 3 });
}

const SPAM = 'WIN a FREE prize! Claim cash now, call 09061701461';
const HAM = 'The new timetable starts on Monday.';

describe('rows of gold', () => {
  test('are asked and counted, label by label and source by source', async () => {
    const name = await goldFile([
      { text: SPAM, gold: { spam: 1 }, source: 'b' },
      { text: HAM, gold: { spam: 0 } },
      { text: HAM, gold: { spam: 1 } },
    ]);
    const found = await evaluated([name]);
    expect(evaluationJson(found)).toMatchObject({ rows: 3, asked: 3, failures: 0, coverage: 1 });
    const spam = found.byLabel.filter(({ label }) => label === 'spam');
    expect(spam.map(({ stratum, tp, fp, fn, tn }) => [stratum, tp, fp, fn, tn])).toEqual([
      [null, 1, 0, 1, 1],
      ['a', 0, 0, 1, 1],
      ['b', 1, 0, 0, 0],
    ]);
  });
  test('of several files are taken together; rows without gold for the policy are counted and not asked', async () => {
    const names = [
      await goldFile([{ text: SPAM, gold: { spam: 1 } }], 'one.ndjson'),
      await goldFile([{ text: HAM }, { text: HAM, gold: { boredom: 1 } }], 'two.ndjson'),
    ];
    expect(await evaluated(names)).toMatchObject({ rows: 3, withoutGold: 2, asked: 1 });
  });
  test('few of them are no rate for people, and none of none is no percentage', async () => {
    const lines = evaluationLines(await evaluated([await goldFile([{ text: SPAM, gold: { spam: 1 } }])])).join('\n');
    expect(lines).toContain('recall too few to say (1 of 1)');
    expect(lines).toContain('precision none (0 of 0)');
    expect(lines).not.toContain('%');
    expect(lines).not.toContain(SPAM);
  });
});

describe('files that cannot be used', () => {
  test.each<[string, readonly (Row | string)[], string]>([
    ['a row an import would not take', [{ text: HAM, gold: { spam: 2 } }], 'rejected_rows'],
    ['a line that is no JSON', [{ text: HAM, gold: { spam: 1 } }, 'nonsense canary-turnip'], 'rejected_rows'],
    ['no gold at all', [{ text: HAM }], 'no_gold'],
  ])('%s', async (_, rows, code) => {
    const refused = evaluated([await goldFile(rows)]);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('canary-turnip') });
  });
  test('a file that is not there', async () => {
    await expect(evaluated(['absent.ndjson'])).rejects.toMatchObject({ code: 'no_such_file' });
  });
});

describe('a service on the network', () => {
  const policy = pinning('openai-chat', 'stub-model-1');
  const rows = ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, gold: { spam: 1 } as const }));

  test('that answers badly lowers the coverage, and its failures are told by code', async () => {
    stub.respond = (request, response) => {
      const { text } = request.user.input;
      if (text === 'two') send(response, completion('not json canary-turnip'));
      else if (text === 'three') send(response, 'oops', 500);
      else send(response, completion(validContent(request, 1)));
    };
    const found = await evaluated([await goldFile(rows)], { classifier: remote, policy });
    expect(found).toMatchObject({ asked: 5, failures: 2, coverage: 0.6, failureCodes: { invalid_json: 1 } });
    expect(found.byLabel[0]).toMatchObject({ tp: 3, fn: 0, unanswered: 2 });
    expect(JSON.stringify(evaluationJson(found))).not.toContain('canary-turnip');
    expect(stub.requests).toHaveLength(5);
  });
  test('is called by keys of this evaluation alone', async () => {
    stub.respond = (request, response) => send(response, completion(validContent(request, 1)));
    const name = await goldFile(rows.slice(0, 1));
    await evaluated([name], { classifier: remote, policy });
    await evaluated([name], { classifier: remote, policy });
    const [first, second] = stub.requests.map(({ user }) => user.nonce);
    expect(first).not.toBe(second);
  });
  test('that refuses the key is not asked again and again', async () => {
    stub.respond = (_, response) => send(response, { error: { message: 'bad key' } }, 401);
    const many = Array.from({ length: 40 }, (_, at) => ({ text: `row ${at}`, gold: { spam: 1 } as const }));
    const asked = evaluated([await goldFile(many)], { classifier: remote, policy });
    await expect(asked).rejects.toMatchObject({ code: 'config_error' });
    expect(stub.requests.length).toBeLessThanOrEqual(3);
  });
  test('never has more calls under way than was said', async () => {
    let [now, most] = [0, 0];
    stub.respond = async (request, response) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      send(response, completion(validContent(request, 1)));
    };
    await evaluated([await goldFile(rows)], { classifier: remote, policy });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
  });
  test('that is given up ends the evaluation', async () => {
    const controller = new AbortController();
    stub.respond = () => controller.abort();
    const asked = evaluated([await goldFile(rows)], { classifier: remote, policy, signal: controller.signal });
    await expect(asked).rejects.toThrow();
  });
});

test('the classifier in this process hears Ctrl-C, too, before it is through', async () => {
  const controller = new AbortController();
  const rows = Array.from({ length: 2_000 }, (_, at) => ({ text: `${HAM} ${at}`, gold: { spam: 0 } }));
  let asked = 0;
  const progress = () => {
    // As a signal does: it is heard only when the loop comes round.
    if (++asked === 10) setImmediate(() => controller.abort());
  };
  const context = { cwd: folder, signal: controller.signal, progress };
  const given = { classifier: local, policy: pinning('builtin', model), concurrency: 3 };
  await expect(evaluateGold(context, [await goldFile(rows)], given)).rejects.toThrow();
  expect(asked).toBeGreaterThanOrEqual(10);
  expect(asked).toBeLessThan(rows.length);
});
