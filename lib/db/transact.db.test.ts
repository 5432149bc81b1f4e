import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ok, refused } from '../kernel/result.ts';
import { installation } from './installation.db.ts';
import { openPool, type Pool } from './pool.db.ts';
import { type TestDatabase, testDatabase } from './testing.db.ts';
import { inOrder, sqlState, TRANSACTION_TRIES, transact } from './transact.db.ts';

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await testDatabase();
  pool = db.pool;
  await pool.query('CREATE TABLE scratch (id int PRIMARY KEY, n int NOT NULL)');
});
afterAll(() => db.close());
beforeEach(() => pool.query('TRUNCATE scratch'));

const rows = async () => (await pool.query('SELECT id, n FROM scratch ORDER BY id')).rows;

test('a success commits', async () => {
  const result = await transact(pool, async (tx) => {
    await tx.query('INSERT INTO scratch VALUES (1, 1)');
    return ok('done');
  });
  expect(result).toEqual({ ok: true, value: 'done' });
  expect(await rows()).toEqual([{ id: 1, n: 1 }]);
});

test('a refusal leaves nothing behind', async () => {
  const result = await transact(pool, async (tx) => {
    await tx.query('INSERT INTO scratch VALUES (1, 1)');
    return refused('claim_lost', { by: 2 });
  });
  expect(result).toEqual({ ok: false, refusal: 'claim_lost', detail: { by: 2 } });
  expect(await rows()).toEqual([]);
});

test('a thrown error leaves nothing behind and the connection serves the next act', async () => {
  const boom = transact(pool, async (tx) => {
    await tx.query('INSERT INTO scratch VALUES (1, 1)');
    throw new Error('boom');
  });
  await expect(boom).rejects.toThrow('boom');
  expect(await rows()).toEqual([]);
  expect((await transact(pool, async () => ok(1))).ok).toBe(true);
});

test('two acts that deadlock both end: PostgreSQL ends one and it begins anew', async () => {
  await pool.query('INSERT INTO scratch VALUES (1, 0), (2, 0)');
  let waiting = 0;
  let meet = () => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  let runs = 0;
  const raise = (first: number, second: number) =>
    transact(pool, async (tx) => {
      runs++;
      await tx.query('UPDATE scratch SET n = n + 1 WHERE id = $1', [first]);
      if (++waiting === 2) meet();
      await met;
      await tx.query('UPDATE scratch SET n = n + 1 WHERE id = $1', [second]);
      return ok(null);
    });
  await Promise.all([raise(1, 2), raise(2, 1)]);
  expect(await rows()).toEqual([
    { id: 1, n: 2 },
    { id: 2, n: 2 },
  ]);
  expect(runs).toBe(3);
});

test('an error that repeating cannot mend is thrown at once; a lasting deadlock ends after the bound', async () => {
  let runs = 0;
  const twice = transact(pool, async (tx) => {
    runs++;
    await tx.query('INSERT INTO scratch VALUES (1, 1), (1, 1)');
    return ok(null);
  });
  expect(sqlState(await twice.catch((thrown) => thrown))).toBe('23505');
  expect(runs).toBe(1);
  const lasting = transact(pool, async (tx) => {
    runs++;
    await tx.query("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40P01'; END $$");
    return ok(null);
  });
  expect(sqlState(await lasting.catch((thrown) => thrown))).toBe('40P01');
  expect(runs).toBe(1 + TRANSACTION_TRIES);
});

test('an error of the database keeps its code and constraint and loses the values it quotes', async () => {
  const thrown = await pool.query('INSERT INTO scratch VALUES (7341, 1), (7341, 2)').catch((error) => error);
  expect(thrown).toMatchObject({ code: '23505', constraint: 'scratch_pkey' });
  expect(inspect(thrown, { depth: null })).not.toContain('7341');
});

test('the installation is written once and keeps its secret; another environment is refused', async () => {
  const [first, second] = await Promise.all([installation(pool, 'production'), installation(pool, 'production')]);
  expect(first).toEqual(second);
  expect(first.ok && first.value.secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await installation(pool, undefined)).toEqual(first);
  expect(await installation(pool, 'staging')).toEqual({
    ok: false,
    refusal: 'wrong_environment',
    detail: { database: 'production', process: 'staging' },
  });
});

describe.each([
  ['on a connection that pipelines', true],
  ['on one that does not', false],
])('steps in order, %s', (_name, pipeline) => {
  let other: Pool;
  beforeAll(() => {
    other = openPool(db.url, { pipeline });
  });
  afterAll(() => other.end());

  test('return what each returned, and PostgreSQL executes them in that order', async () => {
    const result = await transact(other, async (tx) =>
      ok(
        await inOrder(tx, [
          async () => (await tx.query('INSERT INTO scratch VALUES (1, 10)')).rowCount,
          async () => 'no statement',
          async () => (await tx.query('SELECT n FROM scratch WHERE id = 1')).rows[0].n,
        ]),
      ),
    );
    expect(result).toEqual({ ok: true, value: [1, 'no statement', 10] });
  });

  test('roll back together: the first error is thrown, and the connection serves the next act', async () => {
    const failed = transact(other, async (tx) =>
      ok(
        await inOrder(tx, [
          () => tx.query('INSERT INTO scratch VALUES (1, 1)'),
          () => tx.query('SELECT 1 / 0'),
          () => tx.query('INSERT INTO scratch VALUES (2, 2)'),
        ]),
      ),
    );
    expect(sqlState(await failed.catch((thrown: unknown) => thrown))).toBe('22012');
    expect(await rows()).toEqual([]);
    expect(await transact(other, async (tx) => ok((await tx.query('SELECT 7 AS n')).rows[0].n))).toEqual(ok(7));
  });
});
