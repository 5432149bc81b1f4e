// @prisma/adapter-pg, mended where the schema engine needs more of it than the query engine does.
import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** PostgreSQL's "char" and text. */
const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 * @param {string} [database] on the same server, instead of the url's own
 */
async function withClient(url, work, database) {
  const target = new URL(url);
  target.searchParams.delete('schema'); // Prisma's own parameter
  if (database) target.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: target.href });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @param {string} url */
export async function ping(url) {
  await withClient(url, (client) => client.query('SELECT 1'));
  return {};
}

/** @param {string} url the url of the database to be made */
export async function createDatabase(url) {
  const databaseName = decodeURIComponent(new URL(url).pathname.slice(1));
  await withClient(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(databaseName)}`), 'postgres');
  return { databaseName };
}

/**
 * Two mends on a connection or transaction:
 * - the adapter refuses columns of type "char", which every look into PostgreSQL's catalogue returns: they are handed to
 *   it as text and told to the engine as what they are;
 * - the adapter cuts scripts at every ";", also inside functions and strings, and sends the pieces one by one: they are
 *   sent whole, so that a migration is one transaction, as with the native engine.
 * @param {any} connection
 */
function mended(connection) {
  const { performIO, queryRaw, startTransaction } = connection;
  let chars = /** @type {boolean[]} */ ([]);
  connection.performIO = async (/** @type {unknown} */ query) => {
    const result = await performIO.call(connection, query);
    const fields = result.fields ?? [];
    chars = fields.map((/** @type {any} */ field) => field.dataTypeID === CHAR_OID);
    const asText = fields.map((/** @type {any} */ field, /** @type {number} */ i) =>
      chars[i] ? { ...field, name: field.name, dataTypeID: TEXT_OID } : field,
    );
    return { ...result, rowCount: result.rowCount, rows: result.rows, fields: asText };
  };
  connection.queryRaw = async (/** @type {unknown} */ query) => {
    const result = await queryRaw.call(connection, query);
    const wasChar = chars;
    return {
      ...result,
      columnTypes: result.columnTypes.map((/** @type {number} */ type, /** @type {number} */ i) =>
        wasChar[i] ? ColumnTypeEnum.Character : type,
      ),
    };
  };
  if (connection.executeScript)
    connection.executeScript = async (/** @type {string} */ script) => {
      try {
        await connection.client.query(script);
      } catch (error) {
        connection.onError(error);
      }
    };
  if (startTransaction)
    connection.startTransaction = async (/** @type {unknown[]} */ ...args) =>
      mended(await startTransaction.apply(connection, args));
  return connection;
}

export class WholeScriptAdapter extends PrismaPg {
  /** @param {{ url: string, shadowDatabaseUrl?: string }} datasource */
  constructor({ url, shadowDatabaseUrl }) {
    super({ connectionString: url });
    this.url = url;
    this.shadowDatabaseUrl = shadowDatabaseUrl;
  }

  async connect() {
    return mended(await super.connect());
  }

  /**
   * The adapter's own way ends in the main database: in `pg` a connection string wins over a database name. So the
   * throw-away database is made and dropped here.
   */
  async connectToShadowDb() {
    if (this.shadowDatabaseUrl)
      return mended(await new PrismaPg({ connectionString: this.shadowDatabaseUrl }).connect());
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    await createDatabase(url.href);
    const shadow = mended(await new PrismaPg({ connectionString: url.href }).connect());
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await withClient(this.url, (client) => client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
    };
    return shadow;
  }
}
