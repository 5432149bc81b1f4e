import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseState, migrateDeploy } from './migrate-deploy.mjs';
import { acquireTestServer, urlOfDatabase } from './test/server.mjs';

const FIRST = {
  name: '1_first',
  sql: "CREATE TABLE a (id int); CREATE FUNCTION f() RETURNS int AS 'SELECT 1;' LANGUAGE sql;",
};
const SECOND = { name: '2_second', sql: 'CREATE TABLE b (id int);' };
const BROKEN = { name: '2_second', sql: 'CREATE TABLE b (id int);\nSELECT 1/0;' };

let dir: string;
let url: string;
let end: () => Promise<void>;

function write(...migrations: { name: string; sql: string }[]) {
  rmSync(dir, { recursive: true, force: true });
  for (const { name, sql } of migrations) {
    mkdirSync(path.join(dir, name), { recursive: true });
    writeFileSync(path.join(dir, name, 'migration.sql'), sql);
  }
}

async function query(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'docket migrations '));
  const server = await acquireTestServer();
  const name = `docket_test_migrate_${process.pid}_${Math.trunc(performance.now() * 1000)}`;
  await query(server.url, `CREATE DATABASE ${name}`);
  url = urlOfDatabase(server.url, name);
  end = async () => {
    await query(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
    await server.release();
    rmSync(dir, { recursive: true, force: true });
  };
});
afterEach(() => end());

const state = () => databaseState(url, { dir });
const deploy = () => migrateDeploy({ url, dir });

describe('the state of a database', () => {
  const rules: { rule: string; before: () => Promise<unknown>; is: string }[] = [
    { rule: 'nothing in it is empty', before: async () => write(FIRST), is: 'empty' },
    {
      rule: 'all migrations applied is current',
      before: async () => {
        write(FIRST, SECOND);
        await deploy();
      },
      is: 'current',
    },
    {
      rule: 'a missing migration is behind',
      before: async () => {
        write(FIRST);
        await deploy();
        write(FIRST, SECOND);
      },
      is: 'behind',
    },
    {
      rule: 'a migration that this checkout does not know is ahead',
      before: async () => {
        write(FIRST, SECOND);
        await deploy();
        write(FIRST);
      },
      is: 'ahead_or_changed',
    },
    {
      rule: 'an edited migration is changed',
      before: async () => {
        write(FIRST);
        await deploy();
        write({ ...FIRST, sql: `${FIRST.sql}\n-- edited` });
      },
      is: 'ahead_or_changed',
    },
    {
      rule: 'a failed migration is changed',
      before: async () => {
        write(FIRST, BROKEN);
        await deploy().catch(() => {});
      },
      is: 'ahead_or_changed',
    },
    {
      rule: 'tables of somebody else are not empty',
      before: async () => {
        write(FIRST);
        await query(url, 'CREATE TABLE theirs (id int)');
      },
      is: 'ahead_or_changed',
    },
  ];
  test.each(rules)('$rule', async ({ before, is }) => {
    await before();
    expect(await state()).toBe(is);
  });
});

test('two deployments at once apply each migration once', async () => {
  write(FIRST, SECOND);
  const applied = await Promise.all([deploy(), deploy(), deploy()]);
  expect(applied.sort()).toEqual([0, 0, 2]);
  expect(await query(url, 'SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1')).toEqual([
    { name: FIRST.name },
    { name: SECOND.name },
  ]);
});

test('a migration that fails leaves nothing of itself, says its line, and blocks the next deployment', async () => {
  write(FIRST, BROKEN);
  await expect(deploy()).rejects.toMatchObject({
    code: 'migration_failed',
    message: expect.stringContaining('2_second'),
  });
  expect(await query(url, "SELECT to_regclass('b') AS found")).toEqual([{ found: null }]);
  write(FIRST, SECOND);
  await expect(deploy()).rejects.toMatchObject({ code: 'migration_failed' });
});

test.each([
  { what: 'a database that is ahead', later: [FIRST], code: 'database_ahead' },
  { what: 'an edited migration', later: [FIRST, { ...SECOND, sql: `${SECOND.sql} --` }], code: 'migration_changed' },
])('$what is not migrated further', async ({ later, code }) => {
  write(FIRST, SECOND);
  await deploy();
  write(...later);
  await expect(deploy()).rejects.toMatchObject({ code });
});
