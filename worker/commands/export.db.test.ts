import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import { seedRun } from '../../lib/exports/testing/run.db.ts';
import type { CommandContext } from '../command.ts';
import { readEnv } from '../env.ts';
import { command as exportCommand } from './export.ts';
import { command as verifyCommand } from './verify.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'docket export command '));
  await seedRun(
    database.pool,
    [
      { contentId: 'a', end: 'allow' },
      { contentId: 'b', end: 'exception' },
    ],
    { name: 'done' },
  );
  await seedRun(database.pool, [{ contentId: 'c', end: 'pending' }], { name: 'open' });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function context(positionals: string[], values: Record<string, unknown>): CommandContext {
  const env = readEnv({ DOCKET_COMMIT: 'abcdef1' });
  if (!env.ok) throw new Error('the environment of this test is wrong');
  return {
    positionals,
    values,
    pool: database.pool,
    json: true,
    cwd: folder,
    out: () => {},
    progress: () => {},
    stdin: async () => '',
    signal: new AbortController().signal,
    env: env.env,
  };
}
const exportRun = (run: string, values: Record<string, unknown>) => exportCommand.run(context([run], values));
const verify = (dir: string, values: Record<string, unknown> = {}) => verifyCommand.run(context([dir], values));

test('a run is exported below the folder the user stands in, and verifies by the hash that was printed', async () => {
  const outcome = await exportRun('done', { out: 'bundles' });
  const json = outcome.json as Record<string, string>;
  expect(outcome).toMatchObject({ exit: 0, json: { rows: 1, exceptions: 1, supersedes: null } });
  expect(json.path).toBe(path.join(folder, 'bundles', json.export_id as string));
  const dir = path.join('bundles', json.export_id as string);
  expect(await verify(dir, { 'manifest-sha256': json.manifest_sha256 })).toMatchObject({
    exit: 0,
    json: { ok: true, problems: [] },
  });
  expect(await verify(dir, { 'manifest-sha256': 'a'.repeat(64) })).toMatchObject({ exit: 1, json: { ok: false } });
  await appendFile(path.join(folder, dir, 'decisions.ndjson'), 'x');
  const broken = await verify(dir);
  expect(broken).toMatchObject({ exit: 1, json: { ok: false, export_id: json.export_id } });
  expect(broken.text.join('\n')).toMatch(/bad_hash {2}decisions\.ndjson: expected [0-9a-f]{64}, found [0-9a-f]{64}/);
});

test('pending work is an answer, exit 1, that says how much and why', async () => {
  const outcome = await exportRun('open', { out: 'bundles' });
  expect(outcome).toMatchObject({
    exit: 1,
    json: { refused: 'pending_work', pending: 1, leased: 0, state: 'running' },
  });
  expect(outcome.text).toEqual([expect.stringMatching(/^not exported: 1 pending .* the run is running$/)]);
});

test.each<[string, string, Record<string, unknown>, string]>([
  ['no such run', 'nothing', { out: 'o' }, 'unknown_run'],
  ['no folder', 'done', {}, 'bad_usage'],
  ['text without a purpose', 'done', { out: 'o', 'with-text': true }, 'purpose_missing'],
  ['a purpose without text', 'done', { out: 'o', purpose: 'why' }, 'bad_usage'],
  ['a purpose of two lines', 'done', { out: 'o', 'with-text': true, purpose: 'a\nb' }, 'bad_purpose'],
  ['a file where the folder should be', 'done', { out: 'file/below' }, 'cannot_write'],
])('%s is bad use', async (_, run, values, code) => {
  await writeFile(path.join(folder, 'file'), '');
  await expect(exportRun(run, values)).rejects.toMatchObject({ code });
});

test('a folder that is not there cannot be verified; one without a manifest is no bundle', async () => {
  await expect(verify('nowhere')).rejects.toMatchObject({ code: 'cannot_read' });
  await expect(verify('file')).rejects.toMatchObject({ code: 'cannot_read' });
  expect(await verify('.')).toMatchObject({
    exit: 1,
    json: {
      ok: false,
      problems: [{ code: 'missing_file', file: 'manifest.json' }, { code: 'extra_file' }, { code: 'extra_file' }],
    },
  });
});
