import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import { startCli } from '../testing/cli.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'docket import '));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function rows(prefix: string, count: number): string {
  const row = (at: number): string =>
    `{"content_id":"${prefix}${at}","content_type":"comment","revision":1,"source":"cli","text":"hello"}\n`;
  return Array.from({ length: count }, (_, at) => row(at)).join('');
}

async function run(...words: string[]) {
  const { exit, stdout, stderr } = await startCli(database.url, [...words, '--json'], folder).end;
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { exit, json: JSON.parse(last), stderr };
}

async function stored(prefix: string): Promise<number> {
  const { rows: found } = await database.pool.query<{ count: number }>(
    'SELECT count(*) FROM content_item WHERE starts_with(content_id, $1)',
    [prefix],
  );
  return found[0]?.count ?? -1;
}

test('a file is imported by its relative name, and again without anything new', async () => {
  await writeFile(path.join(folder, 'some rows.ndjson'), `${rows('a', 3)}\n`);
  const first = await run('import', 'some rows.ndjson', '--snapshot', 'rows');
  expect(first).toMatchObject({
    exit: 0,
    json: {
      snapshot: 'rows',
      snapshot_id: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      revisions: 3,
      added: 3,
      already_known: 0,
      blank_lines: 1,
      rejected_count: 0,
      rejected: [],
      by: [{ source: 'cli', kind: 'backfill', content_type: 'comment', revisions: 3 }],
    },
    stderr: '',
  });
  const second = await startCli(database.url, ['import', 'some rows.ndjson'], folder).end;
  expect(second).toMatchObject({ exit: 0, stderr: '' });
  expect(second.stdout).toContain('nothing new: all 3 revisions were already known');
  expect(await run('snapshot', 'list')).toMatchObject({
    exit: 0,
    json: { snapshots: [{ snapshot: 'rows', snapshot_id: first.json.snapshot_id, names: ['rows'], revisions: 3 }] },
  });
});

test('bad rows end with exit 2 and an error that lists them; --skip-bad takes the others', async () => {
  await writeFile(path.join(folder, 'bad.ndjson'), `${rows('b', 1)}{"content_id":9007199254740993}\n`);
  expect(await run('import', 'bad.ndjson')).toMatchObject({
    exit: 2,
    json: {
      error: { code: 'rejected_rows' },
      rejected_count: 1,
      rejected: [{ file: 'bad.ndjson', line: 2, code: 'bad_id', field: 'content_id' }],
    },
  });
  expect(await stored('b')).toBe(0);
  expect(await run('import', 'bad.ndjson', '--skip-bad')).toMatchObject({
    exit: 0,
    json: { added: 1, rejected_count: 1 },
  });
});

test.each([
  [['import'], 'no_file'],
  [['import', 'nowhere.ndjson'], 'no_such_file'],
  [['import', '.'], 'not_a_file'],
  [['import', 'array.json'], 'not_ndjson'],
  [['import', 'header.csv'], 'bad_header'],
  [['import', 'empty.ndjson'], 'empty_snapshot'],
  [['import', 'array.json', '--kind', 'stream'], 'bad_option'],
  [['import', 'array.json', '--format', 'xml'], 'bad_option'],
  [['snapshot'], 'bad_usage'],
])('%j ends with exit 2 and %s', async (words, code) => {
  await writeFile(path.join(folder, 'array.json'), '[\n{}\n]\n');
  await writeFile(path.join(folder, 'header.csv'), 'content_id,text\n1,a\n');
  await writeFile(path.join(folder, 'empty.ndjson'), '\n');
  const ended = await run(...words);
  expect(ended).toMatchObject({ exit: 2, json: { error: { code } } });
});

test.each([
  ['SIGKILL', null],
  ['SIGINT', 130],
  ['SIGTERM', 130],
] as const)('%s in the middle of the merge commits nothing, and the next import does', async (signal, exit) => {
  const name = `${signal}.ndjson`;
  await writeFile(path.join(folder, name), rows(signal, 500));
  // A lock that the merge meets after it has written its items and revisions.
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE snapshot IN ACCESS EXCLUSIVE MODE');
    const { child, end } = startCli(database.url, ['import', name], folder);
    const waiting = async (): Promise<unknown> =>
      (await holder.query("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'snapshot'::regclass")).rows;
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([{ count: 1 }]);
    child.kill(signal);
    expect((await end).exit).toBe(exit);
    await holder.query('COMMIT');
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([{ count: 0 }]);
  } finally {
    holder.release();
  }
  const backends =
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'docket cli' AND datname = current_database()";
  await expect
    .poll(async () => (await database.pool.query(backends)).rows, { timeout: 30_000 })
    .toEqual([{ count: 0 }]);
  expect(await stored(signal)).toBe(0);
  expect(await run('import', name)).toMatchObject({ exit: 0, json: { added: 500 } });
});
