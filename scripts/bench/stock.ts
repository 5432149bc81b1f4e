import path from 'node:path';
import { importFiles } from '../../lib/content/import/import-files.db.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import { publishPolicy } from '../../lib/policy/publish.db.ts';
import { startRun } from '../../lib/work/start-run.db.ts';
import { CLASSIFIER, MODEL, policyText } from './chat.ts';
import { type Measured, runContender } from './child.ts';
import { writeCorpus } from './corpus.ts';
import { counts, mustBe, withPool } from './databases.ts';
import type { Bench } from './plan.ts';
import { COUNT_DRAINED } from './statements.sql.ts';

/** Databases that are prepared once and copied for each measurement. */

export const RUN = 'bench';
/** Import, export and desk work on so many times the items that the worker's contenders get. */
export const LARGE = 5;
/** Calls at a time, for everybody. */
export const CONCURRENCY = 64;

/** A file of rows for import. @returns its path. */
export async function corpusFile({ plan }: Bench, count: number): Promise<string> {
  const file = path.join(plan.work, `rows-${count}.ndjson`);
  await writeCorpus(file, count);
  return file;
}

/** @returns the name of a database with the rows of a file imported and a run over them admitted. */
export async function admitted(bench: Bench, file: string): Promise<{ name: string; runId: string }> {
  bench.say('preparing: import and admission');
  const name = 'stock_admitted';
  const url = await bench.databases.make(name);
  const runId = await withPool(url, async (pool) => {
    const published = await publishPolicy(pool, { text: policyText(), actor: 'cli' });
    if (!published.ok) throw new Error(`the policy is refused: ${JSON.stringify(published)}`);
    const imported = await importFiles(pool, {
      files: [{ path: file, name: 'rows.ndjson' }],
      snapshotName: RUN,
      actor: 'cli',
    });
    if (!imported.ok) throw new Error(`the import is refused: ${imported.refusal}`);
    return start(pool, published.value.policyVersion);
  });
  return { name, runId };
}

/** Admits the same rows a second time, under the next version of the policy. @returns the run's id. */
export async function admitAgain(url: string): Promise<string> {
  return withPool(url, async (pool) => {
    const next = { ...JSON.parse(policyText()), title: 'Policy of the benchmark, once more' };
    const published = await publishPolicy(pool, { text: JSON.stringify(next), actor: 'cli' });
    if (!published.ok) throw new Error('the policy is refused');
    return start(pool, published.value.policyVersion);
  });
}

async function start(pool: Pool, policyVersion: string): Promise<string> {
  const started = await startRun(pool, {
    snapshot: RUN,
    policyVersion,
    mode: 'record',
    classifier: { name: CLASSIFIER, adapter: 'openai-chat', models: [MODEL] },
    concurrency: CONCURRENCY,
    actor: 'cli',
  });
  if (!started.ok) throw new Error(`the run is refused: ${started.refusal}`);
  return started.value.run.id;
}

type Drained = {
  readonly name: string;
  readonly runId: string;
  readonly measured: Measured;
  readonly cases: number;
};
const ready = new Map<number, Promise<Drained>>();

/** @returns a database whose run has been drained by the worker, and what draining it took. It is only to be copied. */
export function drained(bench: Bench, items: number): Promise<Drained> {
  const known = ready.get(items) ?? drain(bench, items);
  ready.set(items, known);
  return known;
}

async function drain(bench: Bench, items: number): Promise<Drained> {
  const stock = await admitted(bench, await corpusFile(bench, items));
  bench.say(`preparing: the worker drains ${items} items`);
  const name = 'stock_drained';
  const url = await bench.databases.copy(stock.name, name);
  await bench.stub.answered();
  const job = { url, runId: stock.runId, items, port: bench.stub.port, delayMs: 0 };
  const measured = await runContender('docket', job);
  const { cases } = await mustBeDrained(bench, url, stock.runId, items);
  return { name, runId: stock.runId, measured, cases };
}

/** A drain counts only if each item has all of its rows, once, and was called for once. */
export async function mustBeDrained(bench: Bench, url: string, runId: string, items: number) {
  const found = await withPool(url, (pool) => counts<{ cases: number; reviews: number }>(pool, COUNT_DRAINED, [runId]));
  const each = { items, decisions: items, attempts: items, outcomes: items, evidence: items };
  mustBe('after the drain', found, { ...each, state: 'complete', cases: found.reviews });
  mustBe('at the stub', { calls: await bench.stub.answered() }, { calls: items });
  return found;
}
