import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openPool, type Pool } from './pool.db.ts';

/** A migrated database that belongs to one test file. */
export type TestDatabase = {
  pool: Pool;
  /** For processes and further pools of the test. */
  url: string;
  /** Ends the pool and drops the database, also under connections that a test forgot. */
  close: () => Promise<void>;
};

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing: a test that uses testDatabase() must be named *.db.test.ts`);
  return value;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A fresh database with all migrations applied, for one test file: call it in beforeAll and `close()` in afterAll. It is
 * a copy of a template, so it costs tens of milliseconds. The server is made known by scripts/test/global-setup.mjs.
 * @param max connections of the pool at most; a race of n parties needs n.
 * @param pipeline as the worker's connections are.
 */
export async function testDatabase({ max = 10, pipeline = false } = {}): Promise<TestDatabase> {
  const server = environment('DOCKET_TEST_SERVER_URL');
  const template = environment('DOCKET_TEST_TEMPLATE');
  const name = `docket_test_file_${process.pid}_${randomUUID().slice(0, 8)}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const target = new URL(server);
  target.pathname = `/${name}`;
  const pool = openPool(target.href, { max, applicationName: 'docket test', pipeline });
  return {
    pool,
    url: target.href,
    close: async () => {
      await pool.end();
      await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
