import pg from 'pg';
import { openPool, type Pool } from '../../lib/db/pool.db.ts';
import { migrateDeploy } from '../migrate-deploy.mjs';
import { DURABILITY, SERVER_VERSION } from './statements.sql.ts';

/** The databases of one benchmark, all on its own server. A stock is prepared once and copied for every measurement. */
export type Databases = {
  readonly version: string;
  /** A migrated, empty database under this name. */
  make(name: string): Promise<string>;
  /** A database like another, which nobody may be connected to; whoever had the name before is dropped. */
  copy(from: string, name: string): Promise<string>;
  /** Writes everything dirty to disk, so that nobody pays for what others wrote. */
  settle(): Promise<void>;
  urlOf(name: string): string;
};

/**
 * Opens the server of a benchmark.
 * @param url of its administrator.
 * @throws where the server would lose commits at a power cut: its figures would be those of a memory.
 */
export async function openDatabases(url: string): Promise<Databases> {
  const urlOf = (name: string): string => {
    const target = new URL(url);
    target.pathname = `/${name}`;
    return target.href;
  };
  const admin = async <T extends pg.QueryResultRow>(statement: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end();
    }
  };
  for (const { name, setting } of await admin<{ name: string; setting: string }>(DURABILITY)) {
    if (setting !== 'on') throw new Error(`the benchmark's server is not durable: ${name} is ${setting}`);
  }
  const drop = (name: string) => admin(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
  return {
    version: (await admin<{ version: string }>(SERVER_VERSION))[0]?.version ?? '',
    urlOf,
    make: async (name) => {
      await drop(name);
      await admin(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      await migrateDeploy({ url: urlOf(name) });
      return urlOf(name);
    },
    copy: async (from, name) => {
      await drop(name);
      await admin(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(from)}`);
      return urlOf(name);
    },
    settle: async () => void (await admin('CHECKPOINT')),
  };
}

/** Works on a database and leaves it without connections, so that it can be copied. */
export async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = openPool(url, { applicationName: 'docket bench' });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** @returns the one row of a statement that counts. */
export async function counts<T extends pg.QueryResultRow>(pool: Pool, statement: string, values: unknown[] = []) {
  const [row] = (await pool.query<T>(statement, values)).rows;
  if (!row) throw new Error('a count gave no row');
  return row;
}

/**
 * Every round ends here: what was measured counts only if the rows are there.
 * @throws with what differs.
 */
export function mustBe(what: string, found: object, wanted: object): void {
  for (const [name, value] of Object.entries(wanted)) {
    const have = (found as Record<string, unknown>)[name];
    if (have !== value) throw new Error(`${what}: ${name} must be ${value} and is ${have}`);
  }
}
