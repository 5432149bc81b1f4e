// graphile-worker with a local queue and batched completion: one job an item, one transaction an item for its rows.
import pg from 'pg';
import { baseUrl, openAgent, plainAnswer, plainBody, postPlainly } from '../chat.ts';
import { clock, contender } from '../child.ts';
import { requirePeer } from '../peers.ts';
import { ADD_GRAPHILE_JOBS, CREATE_PEER_TABLES, INSERT_PEER_ROWS } from '../statements.sql.ts';

type Job = {
  server: string;
  url: string;
  items: number;
  concurrency: number;
  port: number;
  delayMs: number;
  home: string;
};
type Payload = { content_id: string; text: string };
type Graphile = {
  runMigrations(options: object): Promise<void>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
};
const QUEUE = 500;

await contender(async (job: Job) => {
  const { run, runMigrations } = requirePeer(job.home, 'graphile-worker') as Graphile;
  const pgPool = new pg.Pool({ connectionString: job.url, max: 20 });
  pgPool.on('error', () => {});
  pgPool.on('connect', (client) => client.on('error', () => {}));
  const logger = { scope: () => logger, error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };
  const quiet = { pgPool, logger };
  await runMigrations(quiet);
  await pgPool.query(CREATE_PEER_TABLES);
  await pgPool.query(ADD_GRAPHILE_JOBS, [job.items]);
  const agent = openAgent();
  const base = baseUrl(job.port, job.delayMs);
  let done = 0;
  let ended = () => {};
  const all = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const stop = clock(job.server);
  const classify = async ({ content_id, text }: Payload): Promise<void> => {
    const began = performance.now();
    const { labels, verdict } = plainAnswer(await postPlainly(agent, base, plainBody(content_id, text)));
    await pgPool.query(INSERT_PEER_ROWS, [
      [content_id],
      [JSON.stringify(labels)],
      [verdict],
      [Math.round(performance.now() - began)],
    ]);
    if (++done === job.items) ended();
  };
  const runner = await run({
    ...quiet,
    noHandleSignals: true,
    concurrency: job.concurrency,
    taskList: { classify: (payload: unknown) => classify(payload as Payload) },
    preset: {
      worker: {
        concurrentJobs: job.concurrency,
        localQueue: { size: QUEUE },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  await all;
  const measured = stop();
  await runner.stop();
  await pgPool.end().catch(() => {});
  await agent.close();
  return measured;
});
