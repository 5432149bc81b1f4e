// The PostgreSQL server that tests use: one for all test runs in this checkout that run at the same time, apart from the
// database of the demo. Every test file gets a database of its own, copied from a template that is migrated once.
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { acquireDatabase } from '../embedded-pg.mjs';
import { migrateDeploy, readMigrations } from '../migrate-deploy.mjs';

const DIR = '.docket/test-postgres';
const PREFIX = 'docket_test_';
/** Any number that nothing else locks; Docket's own locks live in other databases. */
const TEMPLATE_LOCK = 4_711_001;
/** Nothing here outlives the run, so no write waits for the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function withAdmin(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @param {string} url @param {string} name */
export function urlOfDatabase(url, name) {
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}

/**
 * What killed runs left behind. Only safe while nobody else can use the server, hence in onStart.
 * @param {string} url
 */
const sweep = (url) =>
  withAdmin(url, async (client) => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [`${PREFIX}%`]);
    for (const { datname } of rows)
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`);
  });

/**
 * The migrated template for the migrations as they are now; made when absent, under a lock, since test runs start together.
 * @param {string} url
 * @returns {Promise<string>} its name
 */
function ensureTemplate(url) {
  const hash = createHash('sha256').update(JSON.stringify(readMigrations())).digest('hex').slice(0, 16);
  const name = `${PREFIX}template_${hash}`;
  return withAdmin(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const there = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (there.rowCount) return name;
    const draft = `${PREFIX}draft_${randomUUID().replaceAll('-', '')}`;
    await client.query(`CREATE DATABASE ${draft}`);
    try {
      await migrateDeploy({ url: urlOfDatabase(url, draft) });
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    } catch (error) {
      await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
      throw error;
    }
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`); // a connection would block the copying
    return name;
  });
}

/**
 * @returns {Promise<{ url: string, template: string, release: () => Promise<void> }>}
 */
export async function acquireTestServer() {
  const external = process.env.TEST_DATABASE_URL;
  const server = external
    ? { url: external, release: async () => {} }
    : await acquireDatabase({ dir: DIR, url: null, settings: SETTINGS, onStart: sweep, fixedPort: false });
  try {
    return { url: server.url, template: await ensureTemplate(server.url), release: server.release };
  } catch (error) {
    await server.release();
    throw error;
  }
}

/**
 * A fresh, migrated database on the test server, for something larger than a test file.
 * @param {{ url: string, template: string }} server
 * @param {string} label lower-case letters
 */
export async function createTestDatabase(server, label) {
  const name = `${PREFIX}${label}_${process.pid}_${randomUUID().slice(0, 8)}`;
  await withAdmin(server.url, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${server.template}`));
  const drop = () => withAdmin(server.url, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return { url: urlOfDatabase(server.url, name), drop: async () => void (await drop()) };
}
