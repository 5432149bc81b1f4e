import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ChatStub,
  completion,
  type Respond,
  send,
  startChatStub,
  validContent,
} from '../lib/classifier/testing/chat-stub.http.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';
import type { PolicyVersion } from '../lib/policy/versions.db.ts';
import { BROKEN } from '../lib/review/testing/invariants.sql.ts';
import { reconcile } from '../lib/work/reconcile.db.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { startRun } from '../lib/work/start-run.db.ts';
import { expireLeases, makeDue, type SeedRow, seedPolicy, seedSnapshot, views } from '../lib/work/testing/corpus.db.ts';
import { BROKEN_WORK } from '../lib/work/testing/invariants.sql.ts';
import {
  BLOCK_COMMITS,
  BLOCK_DECISIONS,
  BLOCK_STARTS,
  END_WORKER_CONNECTIONS,
  GATE_COMMITS,
  WORKER_CONNECTIONS,
  WORKERS_WAITING,
} from './testing/barriers.sql.ts';
import { startWorker, type WorkerProcess } from './testing/process.ts';

const MODEL = 'stub-model-1';
/** Between two looks at what is waited for, so that looking does not slow it down. */
const LOOK_MS = 10;
let database: TestDatabase;
let stub: ChatStub;
let folder: string;
let policy: PolicyVersion;
let count = 0;
const running = new Set<WorkerProcess>();

beforeAll(async () => {
  database = await testDatabase();
  stub = await startChatStub(answer);
  folder = await mkdtemp(path.join(os.tmpdir(), 'docket kill '));
  const entry = { name: 'stub', adapter: 'openai-chat', base_url: stub.url, model: MODEL };
  await writeFile(path.join(folder, 'classifiers.json'), JSON.stringify({ classifiers: [entry] }));
  policy = await seedPolicy(database.pool, { classifier: { adapter: 'openai-chat', model: MODEL, params: {} } });
  await database.pool.query(GATE_COMMITS);
});
afterEach(() => {
  stub.respond = answer;
  for (const worker of running) worker.signal('SIGKILL');
  running.clear();
});
afterAll(async () => {
  await stub.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** The model's opinion is written in the text: `spam` scores 0.5, anything else 0. */
const answer: Respond = (request, response) =>
  send(response, completion(validContent(request, request.user.input.text?.includes('spam') ? 0.5 : 0)));

/** Resolves `reached` at the first request that is held; held requests are never answered. */
function holdRequests(held: (text: string) => boolean = () => true): Promise<void> {
  return new Promise((reached) => {
    stub.respond = (request, response) => {
      if (held(request.user.input.text ?? '')) reached();
      else return answer(request, response);
    };
  });
}

function worker(): WorkerProcess {
  const started = startWorker({
    DATABASE_URL: database.url,
    DOCKET_CLASSIFIERS: path.join(folder, 'classifiers.json'),
  });
  running.add(started);
  return started;
}

async function start(rows: readonly SeedRow[], concurrency = 2): Promise<string> {
  const snapshot = `kill-${++count}`;
  await seedSnapshot(database.pool, snapshot, rows);
  const started = await startRun(database.pool, {
    snapshot,
    policyVersion: policy.policyVersion,
    mode: 'hold',
    classifier: { name: 'stub', adapter: 'openai-chat', models: [MODEL] },
    concurrency,
    actor: 'cli',
  });
  if (!started.ok) throw new Error(started.refusal);
  return started.value.run.id;
}

const six = (mark: string): SeedRow[] =>
  Array.from({ length: 6 }, (_, at) => ({
    contentId: `${mark}-${at}`,
    source: at < 3 ? 'live' : 'back',
    sourceKind: at < 3 ? ('live' as const) : ('backfill' as const),
    text: at % 2 === 0 ? 'spam' : 'fine',
  }));

async function until(statement: string, enough: (count: number) => boolean): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ count: number }>(statement);
    if (enough(rows[0]?.count ?? 0)) return;
    await pause(LOOK_MS);
  }
}

/** Kills the worker at a point inside the database, where `noticed` says whether the server sees it at once. */
async function killAt(block: string, noticed: boolean): Promise<void> {
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(block);
    const victim = worker();
    await until(WORKERS_WAITING, (waiting) => waiting > 0);
    await kill(victim);
    if (noticed) await holder.query(END_WORKER_CONNECTIONS);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await until(WORKER_CONNECTIONS, (left) => left === 0);
}

async function kill(victim: WorkerProcess): Promise<void> {
  victim.signal('SIGKILL');
  expect(await victim.ended).toBeNull();
  running.delete(victim);
}

/** Time passes; a second worker finishes what the first left. */
async function finish(runId: string): Promise<void> {
  await expireLeases(database.pool);
  const second = worker();
  while ((await findRun(database.pool, runId))?.state !== 'complete') {
    await makeDue(database.pool);
    await pause(LOOK_MS);
  }
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  running.delete(second);
}

/** Nothing lost, nothing doubled. */
async function expectWhole(runId: string): Promise<void> {
  expect(await reconcile(database.pool, runId)).toMatchObject({ closes: true, pending: 0 });
  for (const [promise, broken] of Object.entries({ ...BROKEN_WORK, ...BROKEN })) {
    expect({ promise, rows: (await database.pool.query(broken)).rows }).toEqual({ promise, rows: [] });
  }
  const items = await views(database.pool).items(runId);
  expect(items.map((item) => item.state)).toEqual(items.map(() => 'classified'));
  const cases = (await views(database.pool).cases()).filter((row) =>
    items.some((item) => item.decision_id === row.decision_id),
  );
  const expected = items.filter((item) => item.source === 'live' || Number(item.content_id.slice(-1)) % 2 === 0);
  expect(cases.map((row) => row.content_id).sort()).toEqual(expected.map((item) => item.content_id).sort());
}

const outcomes = async (runId: string) => (await views(database.pool).lineage(runId)).map((row) => row.outcome).sort();
const times = (outcome: string, n: number): string[] => Array(n).fill(outcome);

describe('a worker that is killed', () => {
  test('after leasing, before it recorded an attempt: nothing is spent', async () => {
    const runId = await start(six('lease'));
    await killAt(BLOCK_STARTS, true);
    expect((await views(database.pool).items(runId)).every((item) => item.state === 'leased')).toBe(true);
    await finish(runId);
    await expectWhole(runId);
    expect(await outcomes(runId)).toEqual(times('ok', 6));
  });

  test('while it recorded attempts that the server commits without it', async () => {
    const runId = await start(six('ghost'));
    await killAt(BLOCK_STARTS, false);
    await finish(runId);
    await expectWhole(runId);
    const expired = (await outcomes(runId)).filter((outcome) => outcome === 'lease_expired');
    expect(expired.length).toBeGreaterThan(0);
  });

  test('during a call: what was started is spent once, what was only leased is not', async () => {
    const runId = await start(six('call'), 1);
    const reached = holdRequests();
    const victim = worker();
    await reached;
    await kill(victim);
    await until(WORKER_CONNECTIONS, (left) => left === 0);
    const started = (await views(database.pool).lineage(runId)).length;
    expect(started).toBeLessThan(6);
    stub.respond = answer;
    await finish(runId);
    await expectWhole(runId);
    expect(await outcomes(runId)).toEqual([...times('lease_expired', started), ...times('ok', 6)]);
  });

  test.each([
    ['after the answer, before the decision is written', BLOCK_DECISIONS, true],
    ['in its commit, which is rolled back', BLOCK_COMMITS, true],
  ] as const)('%s: it is answered anew', async (_where, block, noticed) => {
    const runId = await start(six(`k${count}`));
    await killAt(block, noticed);
    expect((await reconcile(database.pool, runId)).by.every((slice) => slice.decisions === 0)).toBe(true);
    await finish(runId);
    await expectWhole(runId);
  });

  test('in its commit, which the server completes without it: it counts, and is not answered again', async () => {
    const runId = await start(six('done'));
    await killAt(BLOCK_COMMITS, false);
    const decided = (await views(database.pool).items(runId)).filter((item) => item.state === 'classified').length;
    expect(decided).toBeGreaterThan(0);
    const { rows } = await database.pool.query('SELECT decision_id, xmin FROM decision ORDER BY decision_id');
    await finish(runId);
    await expectWhole(runId);
    const after = await database.pool.query('SELECT decision_id, xmin FROM decision ORDER BY decision_id');
    expect(after.rows).toEqual(expect.arrayContaining(rows));
  });

  test('again and again by one item: that item ends for a person, alone, and takes nobody along', async () => {
    const runId = await start([
      { contentId: 'p-1', text: 'fine' },
      { contentId: 'p-2', text: 'poison' },
      { contentId: 'p-3', text: 'fine' },
    ]);
    for (let death = 1; death <= 4; death++) {
      const reached = holdRequests((text) => text === 'poison');
      const victim = worker();
      await reached;
      const { rows } = await database.pool.query(
        `SELECT w.content_id FROM work_item w JOIN attempt a ON a.work_item_id = w.id AND a.number = w.attempt_count + 1
         WHERE w.run_id = $1 AND w.state = 'leased'`,
        [runId],
      );
      if (death > 1) expect(rows).toEqual([{ content_id: 'p-2' }]);
      await kill(victim);
      await expireLeases(database.pool);
      await makeDue(database.pool);
    }
    stub.respond = answer;
    await finish(runId);
    const items = await views(database.pool).items(runId);
    expect(items.map((item) => [item.content_id, item.state, item.failure_code])).toEqual([
      ['p-1', 'classified', null],
      ['p-2', 'failed_review', 'lease_expired'],
      ['p-3', 'classified', null],
    ]);
  });
});

describe('a worker that is asked to stop', () => {
  test('lets the calls under way end, commits them, gives the rest back unspent and ends with 0', async () => {
    const runId = await start(six('term'));
    let let_go = (): void => {};
    const held = new Promise<void>((resolve) => {
      let_go = resolve;
    });
    let calls = 0;
    const reached = new Promise<void>((resolve) => {
      stub.respond = async (request, response) => {
        if (++calls === 2) resolve();
        await held;
        await answer(request, response);
      };
    });
    const stopping = worker();
    await reached;
    stopping.signal('SIGTERM');
    stopping.signal('SIGINT'); // one stop that arrives twice: through the group, and passed on by the starter
    await stopping.said('draining');
    let_go();
    expect(await stopping.ended).toBe(0);
    const items = await views(database.pool).items(runId);
    expect(items.filter((item) => item.state === 'classified')).toHaveLength(2);
    expect(items.filter((item) => item.state === 'pending' && item.spent_count === 0)).toHaveLength(4);
    expect([...new Set(await outcomes(runId))].sort()).toEqual(['ok', 'released']);
    expect(stopping.events).toContain('worker_stopped');
    stub.respond = answer;
    await finish(runId);
    await expectWhole(runId);
  });

  test('a second time gives up the calls under way at once; they spend nothing', async () => {
    const runId = await start(six('hurry'));
    const reached = holdRequests();
    const stopping = worker();
    await reached;
    stopping.signal('SIGTERM');
    await stopping.said('draining');
    const again = setInterval(() => stopping.signal('SIGTERM'), 50);
    // Signals that come while the process is already going down would end it by themselves.
    await stopping.said('hurrying');
    clearInterval(again);
    expect(await stopping.ended).toBe(0);
    const items = await views(database.pool).items(runId);
    expect(items.every((item) => item.state === 'pending' && item.spent_count === 0)).toBe(true);
    expect([...new Set(await outcomes(runId))]).toEqual(['released']);
    stub.respond = answer;
    await finish(runId);
    await expectWhole(runId);
  });
});

test('a worker whose connections are cut goes on by itself, and nothing is lost or doubled', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => ({
    contentId: `cut-${at}`,
    source: 'back',
    text: at % 2 === 0 ? 'spam' : 'fine',
  }));
  const runId = await start(rows, 4);
  let answered = 0;
  stub.respond = async (request, response) => {
    // Cut at the beginning, in the middle and near the end, whatever the worker is doing just then.
    if ([1, 20, 40, 58].includes(++answered)) await database.pool.query(END_WORKER_CONNECTIONS);
    await answer(request, response);
  };
  const cut = worker();
  while ((await findRun(database.pool, runId))?.state !== 'complete') {
    await makeDue(database.pool);
    await pause(LOOK_MS);
  }
  cut.signal('SIGTERM');
  expect(await cut.ended).toBe(0);
  await expectWhole(runId);
});

test('a worker that was told of another environment refuses to act', async () => {
  const refused = startWorker({ DATABASE_URL: database.url, DOCKET_ENVIRONMENT: 'elsewhere' });
  running.add(refused);
  expect((await refused.said('refused')).code).toBe('wrong_environment');
  expect(await refused.ended).toBe(2);
});
