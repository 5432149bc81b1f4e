// pg-boss, in the two ways its users run it: `work` with batches handed to eight workers, or a loop that fetches a batch,
// calls for all of it, inserts all rows in one statement and completes all jobs in another.
import pg from 'pg';
import { baseUrl, openAgent, plainAnswer, plainBody, postPlainly, together } from '../chat.ts';
import { clock, contender } from '../child.ts';
import { requirePeer } from '../peers.ts';
import { CREATE_PEER_TABLES, INSERT_PEER_ROWS, SELECT_TEXTS } from '../statements.sql.ts';

type Job = {
  server: string;
  url: string;
  items: number;
  concurrency: number;
  port: number;
  delayMs: number;
  home: string;
  way: 'work' | 'fetch';
};
type Payload = { content_id: string; text: string };
type BossJob = { id: string; data: Payload };
type Boss = {
  on(event: 'error', listener: () => void): void;
  start(): Promise<void>;
  createQueue(name: string): Promise<void>;
  insert(jobs: { name: string; data: Payload }[]): Promise<void>;
  work(name: string, options: object, handler: (jobs: BossJob[]) => Promise<void>): Promise<string>;
  fetch(name: string, options: object): Promise<BossJob[]>;
  complete(name: string, ids: string[]): Promise<void>;
  stop(options: object): Promise<void>;
};
const QUEUE = 'classify';
const INSERT_BATCH = 1_000;
const BATCH = 100;
const WORKERS = 8;
const FETCH_LOOPS = 4;
/** The least that pg-boss takes. */
const POLL_SECONDS = 0.5;

await contender(async (job: Job) => {
  const PgBoss = requirePeer(job.home, 'pg-boss') as new (options: object) => Boss;
  const boss = new PgBoss({ connectionString: job.url, max: 20, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(QUEUE);
  const pool = new pg.Pool({ connectionString: job.url, max: 10 });
  pool.on('error', () => {});
  await pool.query(CREATE_PEER_TABLES);
  const { rows } = await pool.query<Payload>(SELECT_TEXTS, [job.items]);
  for (let from = 0; from < rows.length; from += INSERT_BATCH) {
    await boss.insert(rows.slice(from, from + INSERT_BATCH).map((data) => ({ name: QUEUE, data })));
  }
  const agent = openAgent();
  const base = baseUrl(job.port, job.delayMs);
  type Kept = { id: string; labels: object; verdict: string; latencyMs: number };
  const call = async ({ content_id, text }: Payload): Promise<Kept> => {
    const began = performance.now();
    const { labels, verdict } = plainAnswer(await postPlainly(agent, base, plainBody(content_id, text)));
    return { id: content_id, labels, verdict, latencyMs: Math.round(performance.now() - began) };
  };
  const keep = async (kept: readonly Kept[]): Promise<void> => {
    await pool.query(INSERT_PEER_ROWS, [
      kept.map((one) => one.id),
      kept.map((one) => JSON.stringify(one.labels)),
      kept.map((one) => one.verdict),
      kept.map((one) => one.latencyMs),
    ]);
  };
  let done = 0;
  const stop = clock(job.server);
  if (job.way === 'work') {
    let ended = () => {};
    const all = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const own = Math.max(1, Math.floor(job.concurrency / WORKERS));
    for (let at = 0; at < WORKERS; at++) {
      await boss.work(QUEUE, { batchSize: BATCH, pollingIntervalSeconds: POLL_SECONDS }, async (jobs) => {
        await together(jobs.length, own, async (index) => {
          const one = jobs[index];
          if (one) await keep([await call(one.data)]);
        });
        done += jobs.length;
        if (done === job.items) ended();
      });
    }
    await all;
  } else {
    const own = Math.ceil(job.concurrency / FETCH_LOOPS);
    await together(FETCH_LOOPS, FETCH_LOOPS, async () => {
      for (;;) {
        const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
        if (jobs.length === 0) return;
        const kept: Kept[] = [];
        await together(jobs.length, own, async (index) => {
          const one = jobs[index];
          if (one) kept.push(await call(one.data));
        });
        await keep(kept);
        await boss.complete(
          QUEUE,
          jobs.map(({ id }) => id),
        );
      }
    });
  }
  const measured = stop();
  await boss.stop({ graceful: false, wait: true });
  await pool.end();
  await agent.close();
  return measured;
});
