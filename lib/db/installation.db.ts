import { randomBytes } from 'node:crypto';
import { ok, type Result, refused } from '../kernel/result.ts';
import { INSERT_INSTALLATION, SELECT_INSTALLATION } from './installation.sql.ts';
import type { Queryable } from './pool.db.ts';

export type Installation = { readonly id: string; readonly secret: string; readonly environment: string };

/** The environment of an installation that was given none. */
export const DEFAULT_ENVIRONMENT = 'development';

/**
 * Reads the installation; the first call on a new database writes it.
 * @param environment what this process was told to be; undefined takes whatever the database says.
 * @returns the installation, or `wrong_environment` where the database belongs to another environment: a worker or a
 * sender must then refuse to act (a restored copy must not send what the original sends).
 */
export async function installation(
  db: Queryable,
  environment: string | undefined,
): Promise<Result<Installation, 'wrong_environment'>> {
  await db.query(INSERT_INSTALLATION, [randomBytes(32).toString('hex'), environment ?? DEFAULT_ENVIRONMENT]);
  const { rows } = await db.query<Installation>(SELECT_INSTALLATION);
  const found = rows[0];
  if (!found) throw new Error('the installation row is missing');
  if (environment !== undefined && found.environment !== environment) {
    return refused('wrong_environment', { database: found.environment, process: environment });
  }
  return ok(found);
}
