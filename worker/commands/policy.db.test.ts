import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../../lib/policy/testing.ts';
import type { CommandContext } from '../command.ts';
import { command } from './policy.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'docket-policy-'));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function policy(...positionals: string[]) {
  const context: Partial<CommandContext> = { positionals, values: {}, pool: database.pool, cwd: folder };
  return command.run(context as CommandContext);
}

async function file(content: string | Uint8Array): Promise<string> {
  await writeFile(path.join(folder, 'policy.json'), content);
  return 'policy.json';
}

test('a policy is published from a file, shown as it is and listed', async () => {
  const document = testPolicy({ policy: 'cli' });
  const name = await file(`\ufeff${JSON.stringify(document, null, 2)}`);
  expect(await policy('publish', name)).toMatchObject({ exit: 0, json: { policy_version: 'cli@1', published: true } });
  expect(await policy('publish', name)).toMatchObject({ exit: 0, json: { policy_version: 'cli@1', published: false } });
  expect(await policy('show', 'cli@1')).toMatchObject({
    exit: 0,
    json: { policy_version: 'cli@1', policy_sha256: expect.stringMatching(/^[0-9a-f]{64}$/), document },
  });
  expect(await policy('list')).toMatchObject({
    json: {
      policies: [
        {
          policy_version: 'cli@1',
          contract: 'scores',
          classifier: { adapter: 'builtin', model: 'scripted-1' },
          status: 'published',
        },
      ],
    },
  });
});

test.each([
  ['tag', tagPolicy({ policy: 'cli-tag' }), ['  guide: accepted', '  form: review']],
  ['verdict', verdictPolicy({ policy: 'cli-verdict' }), ['  CLEAN: allow', '  SPAM: restrict', '  REVIEW: review']],
] as const)(
  'a %s policy is published and read back whole, with what follows from each answer',
  async (_, document, lines) => {
    await policy('publish', await file(JSON.stringify(document)));
    const shown = await policy('show', `${document.policy}@1`);
    expect(shown).toMatchObject({ exit: 0, json: { document } });
    expect(shown.text).toEqual(expect.arrayContaining([...lines]));
  },
);

test.each<[string, string | Uint8Array, string, RegExp]>([
  ['that breaks a promise', JSON.stringify(testPolicy({ reasons: [] })), 'invalid_policy', /reasons /],
  ['with a repeated key', '{"policy":"a","policy":"b"}', 'duplicate_key', /line 1/],
  ['that is no JSON', 'policy: forum', 'invalid_json', /not JSON/],
  ['that is not UTF-8', new Uint8Array([0x7b, 0xff]), 'invalid_utf8', /UTF-8/],
])('a file %s is bad input, with its place', async (_, content, code, message) => {
  await expect(policy('publish', await file(content))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test.each([
  [['publish', 'absent.json'], 'unreadable_file'],
  [['show', 'absent@1'], 'unknown_policy'],
  [['show', 'absent'], 'bad_policy_version'],
  [['publish'], 'bad_usage'],
  [['list', 'x'], 'bad_usage'],
  [['edit', 'x'], 'bad_usage'],
  [[], 'bad_usage'],
])('policy %j is %s', async (words, code) => {
  await expect(policy(...words)).rejects.toMatchObject({ code });
});
