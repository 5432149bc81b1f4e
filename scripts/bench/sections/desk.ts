import { setTimeout as sleep } from 'node:timers/promises';
import { createUser } from '../../../lib/access/users.db.ts';
import { type Measured, runContender } from '../child.ts';
import { counts, mustBe, withPool } from '../databases.ts';
import { median } from '../figures.ts';
import type { Bench } from '../plan.ts';
import type { Comparison, Figure, Section } from '../report.ts';
import { COUNT_REVIEWS, CREATE_BARE } from '../statements.sql.ts';
import { admitAgain, drained, LARGE } from '../stock.ts';

const PEOPLE = 10;
const CASES_EACH = 15;
const QUEUE_PAGES = 200;
const BARE_COMMITS = 300;
/** A person's rest between two cases, on average. People need a hundred times as long; at no rest a queue is measured. */
const REST_MS = 100;
/** A service that needs this long an answer lets the worker run through the whole measurement. */
const SLOW_MS = 20;
const POLL_MS = 20;

/** Queue pages and the acts of ten reviewers, alone and while the worker drains a run. */
export async function deskSection(bench: Bench): Promise<Section> {
  const { plan, databases } = bench;
  const decisions = plan.items * LARGE;
  const stock = await drained(bench, decisions);
  const desk = 'stock_desk';
  const staffed = await databases.copy(stock.name, desk);
  const people = await staff(staffed);
  const again = await admitAgain(staffed);
  const bare: Measured[] = [];
  const alone: Measured[] = [];
  const beside: Measured[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    bench.say(`desk, round ${round + 1} of ${plan.rounds}: bare commits`);
    const url = await databases.copy(desk, 'contender');
    await withPool(url, (pool) => pool.query(CREATE_BARE));
    await databases.settle();
    bare.push(await runContender('bare-commits', { url, people: PEOPLE, acts: BARE_COMMITS, restMs: REST_MS }));
    bench.say(`desk, round ${round + 1} of ${plan.rounds}: reviewers`);
    alone.push(await reviewers(url, people, 1));
    bench.say(`desk, round ${round + 1} of ${plan.rounds}: reviewers while the worker drains`);
    beside.push(await whileDraining(bench, url, again, decisions, () => reviewers(url, people, 2)));
  }
  const { cases, measured } = stock;
  return {
    name: 'desk',
    title: `Desk: ${decisions} decisions, ${cases} open cases, ${PEOPLE} reviewers`,
    figures: [
      ...figuresOf('reviewers alone', alone),
      ...figuresOf('reviewers while the worker drains', beside),
      {
        who: 'bare commits',
        what: 'one row on ten connections, p95',
        unit: 'ms',
        rounds: bare.map((one) => Number(one.more?.p95Ms)),
      },
      {
        who: 'the worker before',
        what: 'drained this desk',
        unit: 'items/s',
        rounds: [(decisions * 1_000) / measured.ms],
      },
      {
        who: 'the worker before',
        what: 'CPU of the process',
        unit: 'µs/item',
        rounds: [(measured.cpuMs * 1_000) / decisions],
      },
    ],
    comparisons: compare({ bare, alone, beside, peakMb: measured.peakMb, decisions }),
  };
}

async function staff(url: string): Promise<string[]> {
  return withPool(url, async (pool) => {
    const ids: string[] = [];
    for (let at = 0; at < PEOPLE; at++) {
      const email = `reviewer-${at}@bench.example`;
      const made = await createUser(pool, {
        email,
        name: `Reviewer ${at}`,
        role: 'reviewer',
        password: null,
        actor: 'cli',
      });
      if (!made.ok) throw new Error(`an account is refused: ${made.refusal}`);
      ids.push(made.value.id);
    }
    return ids;
  });
}

/** @param times how often the same people have worked on this database, this time included. */
async function reviewers(url: string, people: readonly string[], times: number): Promise<Measured> {
  const measured = await runContender('reviewers', {
    url,
    people,
    casesEach: CASES_EACH,
    pages: QUEUE_PAGES,
    restMs: REST_MS,
  });
  const found = await withPool(url, (pool) => counts(pool, COUNT_REVIEWS));
  const reviews = people.length * CASES_EACH * times;
  mustBe('after the reviews', found, { reviews, records: reviews, closed: reviews });
  return measured;
}

async function whileDraining(
  bench: Bench,
  url: string,
  runId: string,
  items: number,
  work: () => Promise<Measured>,
): Promise<Measured> {
  const stop = new AbortController();
  await bench.stub.answered();
  const job = { url, runId, items, port: bench.stub.port, delayMs: SLOW_MS };
  const draining = runContender('docket', job, stop.signal);
  while ((await bench.stub.answered()) === 0) await Promise.race([sleep(POLL_MS), draining]);
  const measured = await work();
  if ((await bench.stub.answered()) === 0) throw new Error('the worker was done before the reviewers');
  stop.abort();
  await draining;
  return measured;
}

const WHAT = [
  ['queue', 'queue page with counts'],
  ['list', 'its list alone'],
  ['counts', 'its counts alone'],
  ['claim', 'claim'],
  ['submit', 'review sent'],
  ['settle', 'review effective'],
] as const;

function figuresOf(who: string, all: readonly Measured[]): Figure[] {
  return WHAT.flatMap(([name, what]) => [
    { who, what: `${what}, p95`, unit: 'ms', rounds: all.map(({ more }) => Number(more?.[`${name}P95Ms`])) },
  ]);
}

function compare(one: {
  readonly bare: readonly Measured[];
  readonly alone: readonly Measured[];
  readonly beside: readonly Measured[];
  readonly peakMb: number;
  readonly decisions: number;
}): Comparison[] {
  const p95 = (all: readonly Measured[], name: string): number =>
    median(all.map(({ more }) => Number(more?.[`${name}P95Ms`])));
  const bare = median(one.bare.map(({ more }) => Number(more?.p95Ms)));
  const worst = (all: readonly Measured[]) => Math.max(...['claim', 'submit', 'settle'].map((name) => p95(all, name)));
  return [
    { what: 'queue page with counts, p95', value: p95(one.alone, 'queue'), unit: 'ms', gate: { most: 10 } },
    {
      what: 'queue page with counts against SELECT 1, p95',
      value: p95(one.alone, 'queue') / p95(one.alone, 'ask'),
      unit: 'x',
      gate: null,
    },
    { what: 'slowest of claim and review, p95', value: worst(one.alone), unit: 'ms', gate: { most: 20 } },
    {
      what: 'slowest of claim and review against a bare commit, p95',
      value: worst(one.alone) / bare,
      unit: 'x',
      gate: null,
    },
    { what: 'the same while the worker drains, p95', value: worst(one.beside), unit: 'ms', gate: { most: 100 } },
    { what: `most memory of the worker, ${one.decisions} items`, value: one.peakMb, unit: 'MB', gate: { most: 250 } },
  ];
}
