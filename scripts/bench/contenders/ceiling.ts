// The most that this client can do here: the calls and nothing else.

import { baseUrl, docketBody, openAgent, postPlainly, together } from '../chat.ts';
import { clock, contender } from '../child.ts';
import { contentId, textOf } from '../corpus.ts';

await contender(async (job: { items: number; concurrency: number; port: number; delayMs: number }) => {
  const agent = openAgent();
  const base = baseUrl(job.port, job.delayMs);
  const body = docketBody(contentId(0), textOf(0));
  const stop = clock();
  await together(job.items, job.concurrency, async () => {
    await postPlainly(agent, base, body);
  });
  const measured = stop();
  await agent.close();
  return measured;
});
