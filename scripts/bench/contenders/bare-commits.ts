// The least that an act of the desk can do: one row, durable, on as many connections as there are people.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { together } from '../chat.ts';
import { clock, contender } from '../child.ts';
import { percentile } from '../figures.ts';
import { ASK, INSERT_BARE } from '../statements.sql.ts';

await contender(async (job: { url: string; people: number; acts: number; restMs: number }) => {
  const pool = new pg.Pool({ connectionString: job.url, max: job.people });
  await together(job.people, job.people, async () => void (await pool.query(ASK)));
  const commits: number[] = [];
  const stop = clock();
  await together(job.acts, job.people, async (at) => {
    await sleep(job.restMs * (0.5 + Math.random()));
    const began = performance.now();
    await pool.query(INSERT_BARE, [`act ${at}`]);
    commits.push(performance.now() - began);
  });
  const measured = stop({ p95Ms: percentile(commits, 0.95), p50Ms: percentile(commits, 0.5) });
  await pool.end();
  return measured;
});
