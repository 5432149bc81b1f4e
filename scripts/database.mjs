// The database of a command, ready to be worked with.
import { acquireDatabase } from './embedded-pg.mjs';
import { databaseState, MigrationError, migrateDeploy } from './migrate-deploy.mjs';
import { dataDir, shown } from './paths.mjs';

/** An expected "no" of a starter: `code` for programs, the message for people. */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {string} url */
async function stateOf(url) {
  try {
    return await databaseState(url);
  } catch (error) {
    throw new Refused(
      'database_unreachable',
      `The database of DATABASE_URL cannot be used: ${error.message || error.code}`,
    );
  }
}

/**
 * Acquires the database and migrates it where that is safe: the embedded one, and an empty one. Any other that is not
 * current is refused, since changing somebody's database is a decision of theirs. On a refusal it is released again.
 * @param {(line: string) => void} log
 * @returns {Promise<import('./embedded-pg.mjs').Database & { prepared: boolean }>} prepared: Docket may put into it what it ships
 */
export async function acquireReadyDatabase(log) {
  const database = await acquireDatabase({ log });
  try {
    const state = database.embedded ? 'empty' : await stateOf(database.url);
    const prepared = state === 'empty';
    if (prepared) await migrateDeploy({ url: database.url, log });
    else if (state === 'behind')
      throw new Refused(
        'database_not_migrated',
        'The database lacks migrations. Run: npm run prisma -- migrate deploy',
      );
    else if (state === 'ahead_or_changed')
      throw new Refused(
        'database_not_migrated',
        'The database is not one that this version of Docket made or knows. Look at: npm run prisma -- migrate status; then run: npm run prisma -- migrate deploy',
      );
    return { ...database, prepared };
  } catch (error) {
    await database.release();
    if (!(error instanceof MigrationError) || !database.embedded) throw error;
    const folder = shown(`${dataDir()}/postgres`);
    throw new Refused(error.code, `${error.message} To start afresh, move ${folder} away.`);
  }
}
