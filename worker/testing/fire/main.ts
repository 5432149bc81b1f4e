import { BARRIERS, type Barrier } from './barriers.ts';
import { PROMISE_COUNT } from './books.db.ts';
import { fire } from './fire.db.ts';

/** The program of `npm run fire`; its plan is its only argument, as JSON. */
type Plan = { hits: number; barriers: Barrier[]; workers: number[] };

const plan = JSON.parse(process.argv[2] ?? '{}') as Plan;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let broken = 0;
for (const workers of plan.workers) {
  const barriers = BARRIERS.filter((barrier) => plan.barriers.includes(barrier));
  const began = performance.now();
  const report = await fire({ barriers, hits: plan.hits, workers }, say);
  const { tally, breaches } = report;
  const seconds = Math.round((performance.now() - began) / 1000);
  say(
    `${workers} workers, ${seconds} s: ${tally.runs} runs, ${tally.items} items = ` +
      `${tally.items - tally.exceptions} decided (${tally.deduplicated} deduplicated) + ${tally.exceptions} exceptions; ` +
      `${tally.decisions} decisions, ${tally.actions} actions, ${tally.events} events, ` +
      `${tally.attempts} attempts of which ${tally.expired} died with their worker`,
  );
  for (const { promise, rows } of breaches) say(`BROKEN: ${promise}: ${JSON.stringify(rows)}`);
  if (breaches.length === 0) say(`all ${PROMISE_COUNT} promises hold`);
  broken += breaches.length;
}
process.exitCode = broken === 0 ? 0 : 1;
