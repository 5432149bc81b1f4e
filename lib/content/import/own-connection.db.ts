import type { PoolClient } from 'pg';
import type { Pool } from '../../db/pool.db.ts';
import { mayRepeat } from '../../db/transact.db.ts';
import { BACKEND_PID, CANCEL_BACKEND } from './merge.sql.ts';

/**
 * Runs work on a connection of its own and closes that connection afterwards, whatever came of it: the temporary tables
 * go with it.
 * @param signal cancels what the connection is doing; the work then throws.
 */
export async function onOwnConnection<T>(
  pool: Pool,
  signal: AbortSignal | undefined,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  // The connection may be cut while nothing is being asked; whoever asks next gets the error.
  client.on('error', () => {});
  let cancel: (() => void) | undefined;
  try {
    const { rows } = await client.query<{ pid: number }>(BACKEND_PID);
    cancel = () => void pool.query(CANCEL_BACKEND, [rows[0]?.pid]).catch(() => {});
    signal?.addEventListener('abort', cancel, { once: true });
    return await work(client);
  } finally {
    if (cancel) signal?.removeEventListener('abort', cancel);
    client.release(true);
  }
}

/**
 * `transact` for a connection that is already held: a success commits, a refusal or an error rolls back, a deadlock is
 * begun anew.
 */
export async function transactOn<T, F extends { readonly ok: false }>(
  client: PoolClient,
  act: () => Promise<{ readonly ok: true; readonly value: T } | F>,
): Promise<{ readonly ok: true; readonly value: T } | F> {
  for (let tries = 1; ; tries++) {
    await client.query('BEGIN');
    try {
      const result = await act();
      await client.query(result.ok ? 'COMMIT' : 'ROLLBACK');
      return result;
    } catch (thrown) {
      await client.query('ROLLBACK').catch(() => {});
      if (!mayRepeat(thrown, tries)) throw thrown;
    }
  }
}
