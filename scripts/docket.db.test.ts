import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';

const program = path.join(import.meta.dirname, 'docket.mjs');
let home: string;
let database: TestDatabase;

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'docket home '));
  database = await testDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(home, { recursive: true, force: true });
});

async function docket(args: string[], databaseUrl = '') {
  const env = { ...process.env, DOCKET_DATA_DIR: home, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, out, last: out.trimEnd().split('\n').at(-1) ?? '' };
}

test.each([
  [['stub', '--print-classifiers'], 0],
  [['classifier', 'check', 'builtin'], 0],
  [['classifier', 'check', 'nobody'], 2],
])('%j needs no database and starts none', async (args, exit) => {
  expect((await docket([...args])).code).toBe(exit);
  expect(existsSync(path.join(home, 'postgres'))).toBe(false);
});

test('help needs no database and starts none', async () => {
  const { code, out } = await docket(['--help']);
  expect(out).toContain('npm run docket -- COMMAND');
  expect(code).toBe(0);
  expect(existsSync(path.join(home, 'postgres'))).toBe(false);
});

test('a given database that lacks migrations is refused, not changed, and the answer says what to run', async () => {
  const { rows } = await database.pool.query('DELETE FROM _prisma_migrations RETURNING migration_name');
  const { code, last } = await docket(['run', 'list', '--json'], database.url);
  expect(code).toBe(2);
  expect(JSON.parse(last)).toEqual({
    error: { code: 'database_not_migrated', message: expect.stringContaining('npm run prisma -- migrate deploy') },
  });
  expect(rows.length).toBeGreaterThan(0);
  expect((await database.pool.query('SELECT FROM _prisma_migrations')).rowCount).toBe(0);
});

test('a given database that does not answer is refused', async () => {
  const { code, last } = await docket(['run', 'list', '--json'], 'postgresql://docket@127.0.0.1:1/docket');
  expect(code).toBe(2);
  expect(JSON.parse(last)).toMatchObject({ error: { code: 'database_unreachable' } });
});

test('an empty given database is migrated first', async () => {
  const name = `docket_test_empty_${process.pid}_${Math.trunc(performance.now())}`;
  await database.pool.query(`CREATE DATABASE ${name}`);
  const target = new URL(database.url);
  target.pathname = `/${name}`;
  await docket(['no-such-command', '--json'], target.href);
  const client = new pg.Client({ connectionString: target.href });
  await client.connect();
  const { rows } = await client.query('SELECT finished_at IS NOT NULL AS finished FROM _prisma_migrations');
  await client.end();
  await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ finished }) => finished)).toBe(true);
});
