import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { NEXT_FREE } from './claim.sql.ts';
import { LIST_WAITING } from './queue.sql.ts';

/**
 * A filter on several kinds at once made PostgreSQL sort the whole queue for one row: the next case took 900 ms instead
 * of 3 at 200,000 waiting cases. The index gives a queue in its order, so that nothing needs sorting.
 */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  const many = 'generate_series(1, 5000) AS n';
  await db.pool.query("INSERT INTO source (name, kind) VALUES ('s', 'backfill')");
  await db.pool.query(
    `INSERT INTO content_item (content_id, content_type, source, current_revision, status)
     SELECT 'c-' || n, 'comment', 's', '1', 'held' FROM ${many}`,
  );
  await db.pool.query(
    `INSERT INTO review_case (kind, mode, content_id, source, content_type, revision, decision_id, policy_version,
                              reason_code, opened_by)
     SELECT 'decision', 'hold', 'c-' || n, 's', 'comment', '1', 'd-' || n, 'p@1', 'review', 'system' FROM ${many}`,
  );
  await db.pool.query('ANALYZE');
});
afterAll(() => db.close());

async function plan(statement: string, values: unknown[]): Promise<string> {
  const { rows } = await db.pool.query<Record<string, string>>(`EXPLAIN ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test.each([
  ['the next case', NEXT_FREE.one, ['reviewer', 'decision', 'user:nobody']],
  ['a page of a queue', LIST_WAITING.one, ['reviewer', 'decision', null, null, 51, 160]],
])('%s is read in the order of the index, without a sort', async (_, statement, values) => {
  const found = await plan(statement, values);
  expect(found).toContain('review_case_waiting_idx');
  expect(found).not.toContain('Sort');
});
