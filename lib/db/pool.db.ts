import pg from 'pg';

/** Connections of one process to PostgreSQL. */
export type Pool = pg.Pool;
/**
 * A connection inside an open transaction. Steps take it; only `transact` makes it. `pipeline` says that statements may
 * be sent before the one ahead has been answered: see `inOrder`.
 */
export type Tx = Pick<pg.PoolClient, 'query'> & Partial<Pick<pg.PoolClient, 'pipeline'>>;
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
 * @param pipeline lets statements follow each other without waiting; then no COPY and no cursor on these connections.
 */
export function openPool(url: string, { max = 10, applicationName = 'docket', pipeline = false } = {}): Pool {
  const pool = new pg.Pool({ connectionString: url, max, application_name: applicationName, pipeline });
  // A connection lost while idle must not end the process; the next query meets the error itself.
  pool.on('error', () => {});
  // Nor one lost in use between two statements of a transaction.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    withoutValues(client);
  });
  return pool;
}

/** The parts of PostgreSQL's error message that may quote a row: `Key (content_id)=(…) already exists`. */
type ErrorMessage = { detail?: string; where?: string; internalQuery?: string };

/**
 * Takes the quoted values out of every error before anybody can hold, log or show it: whatever prints an unexpected
 * error (Next prints the whole object) must have no id or text of a user to print. Code, constraint and table stay.
 */
function withoutValues(client: pg.PoolClient): void {
  // The driver keeps its connection out of its types; the listener must come before the driver's own.
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  connection.prependListener('errorMessage', (message: ErrorMessage) => {
    message.detail = undefined;
    message.where = undefined;
    message.internalQuery = undefined;
  });
}
