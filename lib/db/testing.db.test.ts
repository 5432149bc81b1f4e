import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './testing.db.ts';

let mine: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [mine, other] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(() => Promise.all([mine.close(), other.close()]));

test('two test databases share nothing', async () => {
  await mine.pool.query('CREATE TABLE only_mine (id int)');
  const { rows } = await other.pool.query("SELECT to_regclass('only_mine') AS found");
  expect(rows).toEqual([{ found: null }]);
});

test('the database of a developer is out of reach', () => {
  expect(process.env.DATABASE_URL).toBeUndefined();
});
