import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import { publishShipped } from '../../lib/policy/publish.db.ts';
import type { CommandContext } from '../command.ts';
import { readEnv } from '../env.ts';
import { command } from './evaluate.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  await publishShipped(database.pool, { ours: true });
  folder = await mkdtemp(path.join(tmpdir(), 'docket-evaluate-'));
  const row = { content_id: 'd1', content_type: 'document', revision: '1', source: 'docs' };
  const text =
    'Present: the chair and four members. Agreed: the next meeting is in May. Minutes taken by the secretary.';
  await writeFile(path.join(folder, 'gold.ndjson'), `${JSON.stringify({ ...row, text, gold: { minutes: 1 } })}\n`);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function evaluate(values: Record<string, unknown>, ...positionals: string[]) {
  const read = readEnv({});
  if (!read.ok) throw new Error('unreadable');
  const context: Partial<CommandContext> = {
    positionals,
    values,
    pool: database.pool,
    cwd: folder,
    env: read.env,
    signal: new AbortController().signal,
    progress: () => {},
  };
  return command.run(context as CommandContext);
}

const COUNTED = ['content_item', 'revision', 'attempt', 'decision', 'audit_event'];
async function counts(): Promise<number[]> {
  const counted = COUNTED.map(async (table) => {
    const { rows } = await database.pool.query(`SELECT count(*)::int AS count FROM ${table}`);
    return rows[0].count;
  });
  return Promise.all(counted);
}

test('a shipped policy is evaluated on a file of gold, and nothing is stored', async () => {
  const before = await counts();
  const outcome = await evaluate({ policy: 'document-type@1' }, 'gold.ndjson');
  expect(outcome).toMatchObject({
    exit: 0,
    json: { policy_version: 'document-type@1', classifier: 'builtin', rows: 1, failures: 0 },
  });
  const { by_label } = outcome.json as { by_label: { label: string; stratum: string | null; tp: number; auc: null }[] };
  expect(by_label.filter(({ label }) => label === 'minutes')).toMatchObject([
    { stratum: null, tp: 1, auc: null },
    { stratum: 'docs', tp: 1, auc: null },
  ]);
  expect(await counts()).toEqual(before);
});

test.each<[string, Record<string, unknown>, string[], string]>([
  ['no file', { policy: 'forum@1' }, [], 'no_file'],
  ['no policy', {}, ['gold.ndjson'], 'bad_usage'],
  ['a policy without its number', { policy: 'forum' }, ['gold.ndjson'], 'bad_policy_version'],
  ['a policy that is not there', { policy: 'forum@99' }, ['gold.ndjson'], 'unknown_policy'],
  [
    'a classifier that is not there',
    { policy: 'forum@1', classifier: 'nobody' },
    ['gold.ndjson'],
    'unknown_classifier',
  ],
  ['gold for another policy', { policy: 'forum@1' }, ['gold.ndjson'], 'no_gold'],
])('%s is refused', async (_, values, files, code) => {
  await expect(evaluate(values, ...files)).rejects.toMatchObject({ code });
});
