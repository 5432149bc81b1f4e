// `prisma migrate deploy` without Prisma's CLI, which takes seconds and an engine to start. It applies
// prisma/migrations/*/migration.sql in order and keeps Prisma's own table, checksums and lock, so that the CLI can take
// over at any time. Needs only `pg`.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { ROOT } from './paths.mjs';

/** The advisory lock that Prisma's own `migrate deploy` takes. */
const PRISMA_LOCK = 72_707_369;
const MIGRATIONS = path.join(ROOT, 'prisma', 'migrations');

const CREATE_TABLE = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
const HAS_TABLE = `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known`;
const HAS_ANYTHING = `
SELECT EXISTS (
  SELECT FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
) AS known`;
const RECORDED = `
SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name`;
const BEGIN_ONE = 'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)';
const FAIL_ONE = 'UPDATE _prisma_migrations SET logs = $2 WHERE id = $1';
const FINISH_ONE = 'UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1';

/** @typedef {'empty' | 'current' | 'behind' | 'ahead_or_changed'} DatabaseState */
/** @typedef {{ name: string, sql: string, checksum: string }} Migration */

/** A refusal to migrate; `code` is for programs. */
export class MigrationError extends Error {
  /** @param {'migration_failed' | 'migration_changed' | 'database_ahead'} code @param {string} message @param {unknown} [cause] */
  constructor(code, message, cause) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * The migrations of a folder, in the order of their names.
 * @param {string} [dir]
 * @returns {Migration[]}
 */
export function readMigrations(dir = MIGRATIONS) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .sort()
    .filter((name) => existsSync(path.join(dir, name, 'migration.sql')))
    .map((name) => {
      const sql = readFileSync(path.join(dir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function connected(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end(); // also gives an advisory lock back
  }
}

/** @param {pg.Client} client @param {string} sql */
const yes = async (client, sql) => (await client.query(sql)).rows[0].known === true;

/**
 * How a database stands to the migrations of this checkout: `empty` (nothing in it), `current`, `behind` (some are
 * missing), or `ahead_or_changed` (it holds something that these migrations do not explain: an unknown, failed or edited
 * migration, or tables without a history).
 * @param {string} url
 * @param {{ dir?: string }} [options]
 * @returns {Promise<DatabaseState>}
 */
export function databaseState(url, { dir } = {}) {
  return connected(url, async (client) => {
    /** @type {{ name: string, checksum: string, finished: boolean }[]} */
    const recorded = (await yes(client, HAS_TABLE)) ? (await client.query(RECORDED)).rows : [];
    if (recorded.length === 0) return (await yes(client, HAS_ANYTHING)) ? 'ahead_or_changed' : 'empty';
    const wanted = new Map(readMigrations(dir).map(({ name, checksum }) => [name, checksum]));
    const explained = recorded.every(({ name, checksum, finished }) => finished && wanted.get(name) === checksum);
    if (!explained) return 'ahead_or_changed';
    return recorded.length === wanted.size ? 'current' : 'behind';
  });
}

/**
 * @param {Migration[]} migrations
 * @param {{ name: string, checksum: string, finished: boolean }[]} recorded
 */
function pending(migrations, recorded) {
  const wanted = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum, finished } of recorded) {
    if (!finished)
      throw new MigrationError(
        'migration_failed',
        `Migration ${name} failed earlier. Mend it, then run: npm run prisma -- migrate resolve --help`,
      );
    if (!wanted.has(name))
      throw new MigrationError(
        'database_ahead',
        `The database has migration ${name}, which this version of Docket does not know.`,
      );
    if (wanted.get(name) !== checksum)
      throw new MigrationError(
        'migration_changed',
        `Migration ${name} was edited after it had been applied to this database.`,
      );
  }
  const done = new Set(recorded.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

/**
 * Applies what is missing, each migration as one transaction, under Prisma's lock. Returns how many were applied. Throws
 * a MigrationError when the database has a history that this checkout does not explain, or when a migration fails (its
 * row then stays unfinished, as Prisma leaves it).
 * @param {{ url: string, log?: (line: string) => void, dir?: string }} options
 * @returns {Promise<number>}
 */
export function migrateDeploy({ url, log = () => {}, dir }) {
  return connected(url, async (client) => {
    await client.query(`SELECT pg_advisory_lock(${PRISMA_LOCK})`);
    await client.query(CREATE_TABLE);
    const todo = pending(readMigrations(dir), (await client.query(RECORDED)).rows);
    for (const migration of todo) {
      await applyOne(client, migration);
      log(`applied ${migration.name}`);
    }
    return todo.length;
  });
}

/** @param {pg.Client} client @param {Migration} migration */
async function applyOne(client, { name, sql, checksum }) {
  const id = randomUUID();
  await client.query(BEGIN_ONE, [id, checksum, name]);
  try {
    await client.query(sql); // without parameters the whole script is one message, hence one implicit transaction
  } catch (error) {
    await client.query('ROLLBACK');
    await client.query(FAIL_ONE, [id, String(error)]);
    const line = error.position ? ` (line ${sql.slice(0, Number(error.position)).split('\n').length})` : '';
    throw new MigrationError('migration_failed', `Migration ${name} failed: ${error.message}${line}`, error);
  }
  await client.query(FINISH_ONE, [id]);
}
