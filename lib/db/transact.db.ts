import type { Result } from '../kernel/result.ts';
import type { Pool, Tx } from './pool.db.ts';

/** Times a transaction is begun anew after a deadlock or a serialisation failure, which PostgreSQL asks us to repeat. */
export const TRANSACTION_TRIES = 5;
const REPEATABLE = new Set(['40001', '40P01']);

/**
 * Runs an act in one transaction. A success commits; a refusal or a thrown error rolls everything back, so that a
 * refused act leaves nothing behind.
 * @param act gets the transaction; it may run again from the start after a deadlock, so it must not act outside it.
 * @returns what the act returned.
 */
export async function transact<T, R extends string>(
  pool: Pool,
  act: (tx: Tx) => Promise<Result<T, R>>,
): Promise<Result<T, R>> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(pool, act);
    } catch (thrown) {
      if (!mayRepeat(thrown, tries)) throw thrown;
    }
  }
}

async function once<T, R extends string>(pool: Pool, act: (tx: Tx) => Promise<Result<T, R>>): Promise<Result<T, R>> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await act(client);
    await client.query(result.ok ? 'COMMIT' : 'ROLLBACK');
    return result;
  } catch (thrown) {
    await client.query('ROLLBACK').catch((error: Error) => {
      broken = error;
    });
    throw thrown;
  } finally {
    client.release(broken);
  }
}

type Answers<T extends readonly (() => Promise<unknown>)[]> = { -readonly [at in keyof T]: Awaited<ReturnType<T[at]>> };

/**
 * Step: runs steps, none of which needs what another returns. PostgreSQL executes their first statements in this order;
 * what a step does after its first may come after the others, so whatever takes locks in an order has one statement.
 * On a connection that pipelines they are sent at once, so that a transaction waits once instead of for each:
 * in a busy process every wait costs a turn of the event loop, with the locks held.
 * @returns what they returned, in their order.
 * @throws the first error; what was sent after it has failed with the transaction.
 */
export async function inOrder<const T extends readonly (() => Promise<unknown>)[]>(
  tx: Tx,
  steps: T,
): Promise<Answers<T>> {
  const answers: unknown[] = [];
  if (tx.pipeline) answers.push(...(await Promise.all(steps.map((step) => step()))));
  else for (const step of steps) answers.push(await step());
  return answers as Answers<T>;
}

/** @returns true where PostgreSQL asks for the transaction to be begun anew and it has not been too often. */
export function mayRepeat(thrown: unknown, tries: number): boolean {
  return tries < TRANSACTION_TRIES && REPEATABLE.has(sqlState(thrown) ?? '');
}

/** @returns the five-character SQLSTATE of a PostgreSQL error, or null for any other thrown thing. */
export function sqlState(thrown: unknown): string | null {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
