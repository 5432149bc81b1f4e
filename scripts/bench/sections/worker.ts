import path from 'node:path';
import { type Measured, runContender } from '../child.ts';
import { counts, mustBe, withPool } from '../databases.ts';
import { median, rotated } from '../figures.ts';
import { installPeers } from '../peers.ts';
import { type Bench, serverFolder } from '../plan.ts';
import type { Comparison, Figure, Section } from '../report.ts';
import { COUNT_PEER_ROWS } from '../statements.sql.ts';
import { admitted, CONCURRENCY, corpusFile, mustBeDrained } from '../stock.ts';

/** Queues that need a transaction an item are not given more than they can do in bearable time. */
const PEER_ITEMS_MAX = 20_000;
/** What a service needs for an answer, in the second part. */
const SLOW_MS = 20;

type Entrant = {
  readonly name: string;
  readonly title: string;
  readonly delayMs: number;
  readonly items: number;
  run(): Promise<Measured>;
};

/** The worker against what the client alone could do, a script that keeps nothing, and other queues. */
export async function workerSection(bench: Bench): Promise<Section> {
  const { plan } = bench;
  const corpus = await corpusFile(bench, plan.items);
  const stock = await admitted(bench, corpus);
  const home = plan.peers ? await installPeers(plan.folder) : null;
  if (plan.peers && !home) bench.say('the other queues cannot be installed here; measuring without them');
  const entrants = [
    ...withDelay(bench, stock, corpus, 0),
    ...withDelay(bench, stock, corpus, SLOW_MS),
    ...peers(bench, stock, home),
  ];
  const found = new Map<string, Measured[]>(entrants.map(({ name }) => [name, []]));
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) {
      bench.say(`worker, round ${round + 1} of ${plan.rounds}: ${entrant.title}`);
      found.get(entrant.name)?.push(await entrant.run());
    }
  }
  const figures = entrants.flatMap((entrant) => figuresOf(entrant, found.get(entrant.name) ?? []));
  return {
    name: 'worker',
    title: `Worker: ${plan.items} items, ${CONCURRENCY} calls at a time`,
    figures,
    comparisons: compare(entrants, found),
  };
}

function withDelay(bench: Bench, stock: { name: string; runId: string }, corpus: string, delayMs: number): Entrant[] {
  const { plan, stub, databases } = bench;
  const { items } = plan;
  const call = { items, concurrency: CONCURRENCY, port: stub.port, delayMs };
  const after = delayMs === 0 ? 'at once' : `after ${delayMs} ms`;
  const answeredAll = async (measured: Measured): Promise<Measured> => {
    mustBe('at the stub', { calls: await stub.answered() }, { calls: items });
    return measured;
  };
  return [
    {
      name: `docket-${delayMs}`,
      title: `Docket's worker, answers ${after}`,
      delayMs,
      items,
      run: async () => {
        const url = await databases.copy(stock.name, 'contender');
        await databases.settle();
        await stub.answered();
        const measured = await runContender('docket', {
          server: serverFolder(plan),
          url,
          runId: stock.runId,
          items,
          port: stub.port,
          delayMs,
        });
        await mustBeDrained(bench, url, stock.runId, items);
        return measured;
      },
    },
    {
      name: `ceiling-${delayMs}`,
      title: `client alone, answers ${after}`,
      delayMs,
      items,
      run: async () => {
        await stub.answered();
        return answeredAll(await runContender('ceiling', call));
      },
    },
    {
      name: `script-${delayMs}`,
      title: `script that keeps nothing, answers ${after}`,
      delayMs,
      items,
      run: async () => {
        await stub.answered();
        return answeredAll(await runContender('script', { ...call, corpus, out: path.join(plan.work, 'script.csv') }));
      },
    },
  ];
}

function peers(bench: Bench, stock: { name: string }, home: string | null): Entrant[] {
  if (!home) return [];
  const { stub, databases } = bench;
  const items = Math.min(bench.plan.items, PEER_ITEMS_MAX);
  const peer = (name: string, title: string, file: string, more: object = {}): Entrant => ({
    name,
    title,
    delayMs: 0,
    items,
    run: async () => {
      const url = await databases.copy(stock.name, 'contender');
      await databases.settle();
      const measured = await runContender(file, {
        server: serverFolder(bench.plan),
        url,
        items,
        concurrency: CONCURRENCY,
        port: stub.port,
        delayMs: 0,
        home,
        ...more,
      });
      const found = await withPool(url, (pool) => counts(pool, COUNT_PEER_ROWS));
      mustBe(title, found, { decisions: items, attempts: items });
      return measured;
    },
  });
  return [
    peer('graphile', 'graphile-worker 0.17, local queue, batched completion', 'graphile-worker'),
    peer('boss-work', 'pg-boss 10, work()', 'pg-boss', { way: 'work' }),
    peer('boss-fetch', 'pg-boss 10, fetch loop, batched insert', 'pg-boss', { way: 'fetch' }),
  ];
}

const rates = ({ items }: Entrant, all: readonly Measured[]): number[] => all.map(({ ms }) => (items * 1_000) / ms);
const cpuOf = ({ items }: Entrant, all: readonly Measured[]): number[] =>
  all.map(({ cpuMs }) => (cpuMs * 1_000) / items);

function figuresOf(entrant: Entrant, all: readonly Measured[]): Figure[] {
  const postgres = all.flatMap(({ postgresCpuMs: ms }) => (ms === null ? [] : [(ms * 1_000) / entrant.items]));
  return [
    { who: entrant.title, what: 'rate', unit: 'items/s', rounds: rates(entrant, all) },
    { who: entrant.title, what: 'CPU of the process', unit: 'µs/item', rounds: cpuOf(entrant, all) },
    ...(postgres.length > 0
      ? [{ who: entrant.title, what: 'CPU of PostgreSQL', unit: 'µs/item', rounds: postgres }]
      : []),
  ];
}

function compare(entrants: readonly Entrant[], found: ReadonlyMap<string, readonly Measured[]>): Comparison[] {
  const of = (name: string): { entrant: Entrant; all: readonly Measured[] } | null => {
    const entrant = entrants.find((one) => one.name === name);
    const all = found.get(name);
    return entrant && all && all.length > 0 ? { entrant, all } : null;
  };
  const ratio = (what: string, ours: string, theirs: string, unit: '%' | 'x', least: number): Comparison[] => {
    const [a, b] = [of(ours), of(theirs)];
    if (!a || !b) return [];
    const value = median(rates(a.entrant, a.all)) / median(rates(b.entrant, b.all));
    return [{ what, value, unit, gate: { least } }];
  };
  const fast = of('docket-0');
  const slow = of(`docket-${SLOW_MS}`);
  if (!fast || !slow) throw new Error('the worker was not measured');
  const durable = slow.all.map(({ more }) => Number(more?.durableP95Ms));
  return [
    ...ratio('share of what the client alone can do, at once', 'docket-0', 'ceiling-0', '%', 0.5),
    ...ratio('against the script that keeps nothing, at once', 'docket-0', 'script-0', 'x', 0.8),
    ...ratio('against graphile-worker 0.17, batched', 'docket-0', 'graphile', 'x', 3),
    ...ratio('against pg-boss 10, work()', 'docket-0', 'boss-work', 'x', 5),
    ...ratio('against pg-boss 10, fetch loop', 'docket-0', 'boss-fetch', 'x', 2),
    ...ratio(
      `share of what the client alone can do, ${SLOW_MS} ms`,
      `docket-${SLOW_MS}`,
      `ceiling-${SLOW_MS}`,
      '%',
      0.93,
    ),
    {
      what: 'CPU of the worker per item, at once',
      value: median(cpuOf(fast.entrant, fast.all)),
      unit: 'µs',
      gate: { most: 250 },
    },
    { what: `answer to durable, p95, ${SLOW_MS} ms`, value: median(durable), unit: 'ms', gate: { most: 40 } },
    {
      what: 'most memory of the worker',
      value: median(fast.all.map(({ peakMb }) => peakMb)),
      unit: 'MB',
      gate: { most: 250 },
    },
  ];
}
