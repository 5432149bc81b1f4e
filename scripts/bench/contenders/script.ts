// What somebody would write in an afternoon: a file of rows, a limit on calls, a line of CSV an answer. Nothing is
// durable, nothing is retried, nothing can be resumed.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { baseUrl, openAgent, plainAnswer, plainBody, postPlainly, together } from '../chat.ts';
import { clock, contender } from '../child.ts';

type Job = { items: number; concurrency: number; port: number; delayMs: number; corpus: string; out: string };

await contender(async (job: Job) => {
  const agent = openAgent();
  const base = baseUrl(job.port, job.delayMs);
  const stop = clock();
  const lines = (await readFile(job.corpus, 'utf8')).split('\n');
  const out = createWriteStream(job.out);
  await together(job.items, job.concurrency, async (at) => {
    const row = JSON.parse(lines[at] ?? '{}');
    const { labels, verdict } = plainAnswer(await postPlainly(agent, base, plainBody(row.content_id, row.text)));
    out.write(`${row.content_id},${verdict},${Object.values(labels).join(',')}\n`);
  });
  out.end();
  await finished(out);
  const measured = stop();
  await agent.close();
  return measured;
});
