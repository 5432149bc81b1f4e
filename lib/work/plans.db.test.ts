import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pool } from '../db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { START_ATTEMPTS } from './attempts.sql.ts';
import { LEASE_BATCH, LEASE_CANARY, LOCK_EXPIRED, LOCK_HELD, RENEW_LEASES } from './lease.sql.ts';
import { RUN_HAS_OPEN_ITEMS, RUNS_WITH_WORK } from './runs.sql.ts';
import { UPDATE_ITEMS } from './settle.sql.ts';
import { WORKER_A } from './testing/drive.db.ts';
import { workroom } from './testing/workroom.db.ts';

/** Items of the run: many done, more to do. A bad plan reads them all. */
const ITEM_COUNT = 100_000;
const LEASED_COUNT = 1_000;

let database: TestDatabase;
let runId: string;
let ids: number[];
const token = randomUUID();

beforeAll(async () => {
  database = await testDatabase();
  const room = await workroom(database.pool);
  runId = await room.start([{ contentId: 'first' }]);
  await fill(database.pool);
  const { rows } = await database.pool.query(`SELECT id FROM work_item WHERE state = 'leased' ORDER BY id LIMIT 500`);
  ids = rows.map((row) => row.id);
});
afterAll(() => database.close());

async function fill(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO work_item (run_id, content_id, revision, decision_id, source, content_type, state, effect, lease_token,
       lease_worker, lease_until)
     SELECT $1, 'f' || n, '1', md5(n::text), 'forum', 'comment',
            CASE WHEN n <= $3 THEN 'leased' WHEN n > $2 * 0.4 THEN 'pending' ELSE 'classified' END,
            CASE WHEN n > $3 AND n <= $2 * 0.4 THEN 'none' END,
            CASE WHEN n <= $3 THEN $4::uuid END, CASE WHEN n <= $3 THEN $5::uuid END,
            CASE WHEN n <= $3 THEN now() + interval '1 minute' END
     FROM generate_series(1, $2) AS n`,
    [runId, ITEM_COUNT, LEASED_COUNT, token, WORKER_A],
  );
  await pool.query('ANALYZE');
}

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: Plan[] };

/** Every node of the plan that PostgreSQL takes for these parameters, with the relation or index it reads. */
async function plan(statement: string, parameters: unknown[]): Promise<string[]> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${statement}`, parameters);
    return nodes(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

function nodes(node: Plan): string[] {
  const reads = node['Index Name'] ?? node['Relation Name'];
  return [`${node['Node Type']}${reads ? ` ${reads}` : ''}`, ...(node.Plans ?? []).flatMap(nodes)];
}

const scansItems = (found: string[]): string[] => found.filter((node) => node === 'Seq Scan work_item');

test('leasing reads the pending items of its run by their partial index and takes them by primary key', async () => {
  const found = await plan(LEASE_BATCH, [runId, randomUUID(), WORKER_A, 200, 60_000, [], 0]);
  expect(found).toContain('Index Scan work_item_pending_idx');
  expect(found.some((node) => /Scan work_item_pkey$/.test(node))).toBe(true);
  expect(scansItems(found)).toEqual([]);
});

test('leasing past the items of a closed source goes on after an id in the same index', async () => {
  const found = await plan(LEASE_BATCH, [runId, randomUUID(), WORKER_A, 200, 60_000, ['closed'], 50_000]);
  expect(found).toContain('Index Scan work_item_pending_idx');
  expect(scansItems(found)).toEqual([]);
});

test('leasing a canary reads its few items by their own index', async () => {
  const found = await plan(LEASE_CANARY, [runId, randomUUID(), WORKER_A, 200, 60_000, [], 0]);
  expect(found.some((node) => /Scan work_item_canary_idx$/.test(node))).toBe(true);
  expect(scansItems(found)).toEqual([]);
});

test('leasing keeps that plan where PostgreSQL plans without knowing how many are wanted', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE lease (uuid, uuid, uuid, int, int, text[], bigint) AS ${LEASE_BATCH}`);
    const { rows } = await client.query(
      `EXPLAIN (FORMAT JSON) EXECUTE lease ('${runId}', '${randomUUID()}', '${WORKER_A}', 200, 60000, '{}', 0)`,
    );
    expect(scansItems(nodes(rows[0]['QUERY PLAN'][0].Plan))).toEqual([]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('ending holds goes by primary key, not by the partial index of all leased rows', async () => {
  const count = ids.length;
  const of = (value: unknown): unknown[] => Array(count).fill(value);
  const found = await plan(UPDATE_ITEMS, [
    ids,
    of(token),
    of('classified'),
    of('none'),
    of(false),
    of(null),
    of(0),
    of(1),
    of(1),
    of(0),
    of(0),
    of(0),
    of(false),
  ]);
  expect(found.some((node) => /work_item_leased_idx/.test(node))).toBe(false);
  expect(scansItems(found)).toEqual([]);
});

test.each([
  ['locking what is held', LOCK_HELD, () => [ids, ids.map(() => token)]],
  [
    'recording attempts',
    START_ATTEMPTS,
    () => [ids.slice(0, 16), ids.slice(0, 16).map(() => token), runId, Array(16).fill(1), false],
  ],
  ['renewing leases', RENEW_LEASES, () => [ids, ids.map(() => token), 60_000]],
] as const)('%s never reads the whole table', async (_name, statement, parameters) => {
  expect(scansItems(await plan(statement, parameters()))).toEqual([]);
});

test.each([
  ['what is left of a run', RUN_HAS_OPEN_ITEMS, () => [runId]],
  ['runs that have work', RUNS_WITH_WORK, () => [16, null]],
] as const)('looking for %s reads pending items by their partial index', async (_name, statement, parameters) => {
  const found = await plan(statement, parameters());
  expect(found.some((node) => /Scan work_item_pending_idx$/.test(node))).toBe(true);
  expect(found.some((node) => /Scan work_item_pkey$/.test(node))).toBe(false);
  expect(scansItems(found)).toEqual([]);
});

test('the sweep finds expired leases by their index', async () => {
  const found = await plan(LOCK_EXPIRED, [runId, 500]);
  expect(found.some((node) => /Scan work_item_leased_idx$/.test(node))).toBe(true);
});
