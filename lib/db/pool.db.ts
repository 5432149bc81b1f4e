import pg from 'pg';

/** Connections of one process to PostgreSQL. */
export type Pool = pg.Pool;
/** A connection inside an open transaction. Steps take it; only `transact` makes it. */
export type Tx = Pick<pg.PoolClient, 'query'>;
/** Anything that can run one statement: a pool, a connection, a transaction. */
export type Queryable = Pick<pg.Pool, 'query'> | Tx;

const BIGINT_OID = 20;

// A bigint column is a number here: ours count rows, units and bytes and stay far below 2^53. Never floats as strings.
pg.types.setTypeParser(BIGINT_OID, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint beyond 2^53 reached the program');
  return value;
});

/**
 * Opens a pool; connections are made on first use.
 * @param url a postgresql:// address.
 * @param max connections at most.
 * @param applicationName shown in pg_stat_activity.
 */
export function openPool(url: string, { max = 10, applicationName = 'docket' } = {}): Pool {
  const pool = new pg.Pool({ connectionString: url, max, application_name: applicationName });
  // A connection lost while idle must not end the process; the next query meets the error itself.
  pool.on('error', () => {});
  // Nor one lost in use between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
