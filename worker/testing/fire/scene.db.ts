import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { imported } from '../../../lib/content/testing/content.ts';
import type { Pool } from '../../../lib/db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../../../lib/db/testing.db.ts';
import type { PolicyVersion } from '../../../lib/policy/versions.db.ts';
import { startRun } from '../../../lib/work/start-run.db.ts';
import { makeDue, seedPolicy } from '../../../lib/work/testing/corpus.db.ts';
import { INSERT_SOURCES, OPEN_RUNS } from './books.sql.ts';
import { type FireClassifier, type Kind, MODEL, startFireClassifier, TEXTS } from './classifier.http.ts';
import { nameOf } from './gates.db.ts';
import { INSTALL_GATES } from './gates.sql.ts';

/** Calls at once that a run of a fire allows. */
const CONCURRENCY = 4;
/** After so long a run that has not ended is stuck. */
const FINISH_MS = 120_000;
const FINISH_LOOK_MS = 50;

/** What a fire plays in: a database of its own with gates, a classifier, and a corpus that grows. */
export type Scene = {
  readonly database: TestDatabase;
  readonly classifier: FireClassifier;
  readonly policy: PolicyVersion;
  readonly folder: string;
  /** @returns a number nothing else of this scene has: of a process. */
  number(): number;
  /** @returns the environment of the process with this number. */
  environment(process: number): Promise<Record<string, string>>;
  /** Starts `runs` runs over one new snapshot of these kinds of text. @returns the runs' ids and names. */
  start(kinds: readonly Kind[], options?: StartOptions & { runs?: number }): Promise<StartedRun[]>;
  /** Starts a run over a new snapshot of these rows, as an import reads them. */
  startOver(rows: readonly object[], options?: StartOptions): Promise<StartedRun>;
  /** Lets waits pass until every run has ended. @throws where that takes too long. */
  finish(patienceMs?: number): Promise<void>;
  close(): Promise<void>;
};
type StartOptions = { readonly concurrency?: number };
export type StartedRun = { readonly id: string; readonly name: string };

/** @param database where the fire plays; by default one of its own on the test server. */
export async function makeScene(database?: TestDatabase): Promise<Scene> {
  const place = database ?? (await testDatabase({ max: 30 }));
  const { pool } = place;
  await pool.query(INSTALL_GATES);
  await pool.query(INSERT_SOURCES);
  const classifier = await startFireClassifier();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docket fire '));
  const policy = await seedPolicy(pool, { classifier: { adapter: 'openai-chat', model: MODEL, params: {} } });
  let processes = 0;
  let snapshots = 0;
  const startRuns = async (rows: readonly object[], { runs = 1, concurrency = CONCURRENCY }) => {
    const snapshot = `fire-${++snapshots}`;
    await imported(pool, rows, { snapshotName: snapshot });
    const started: StartedRun[] = [];
    for (let run = 1; run <= runs; run++) {
      const name = `${snapshot}-${run}`;
      const one = await startRun(pool, {
        snapshot,
        policyVersion: policy.policyVersion,
        mode: 'hold',
        name,
        classifier: { name: 'fire', adapter: 'openai-chat', models: [MODEL] },
        concurrency,
        actor: 'cli',
      });
      if (!one.ok) throw new Error(one.refusal);
      started.push({ id: one.value.run.id, name });
    }
    return started;
  };
  return {
    database: place,
    classifier,
    policy,
    folder,
    number: () => ++processes,
    environment: async (process) => {
      const file = path.join(folder, `classifiers-${process}.json`);
      const entry = { name: 'fire', adapter: 'openai-chat', base_url: classifier.address(process), model: MODEL };
      await writeFile(file, JSON.stringify({ classifiers: [entry] }));
      return { DATABASE_URL: addressOf(place.url, process), DOCKET_CLASSIFIERS: file };
    },
    start: (kinds, options = {}) => startRuns(corpus(`t${snapshots + 1}`, kinds), options),
    startOver: async (rows, options = {}) => {
      const [run] = await startRuns(rows, options);
      if (!run) throw new Error('no run');
      return run;
    },
    finish: (patienceMs = FINISH_MS) => finish(pool, patienceMs),
    close: async () => {
      await classifier.close();
      await place.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function finish(pool: Pool, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await pool.query(OPEN_RUNS);
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error(`runs did not end: ${JSON.stringify(rows)}`);
    await makeDue(pool);
    await pause(FINISH_LOOK_MS);
  }
}

/** @returns the database's address with the name by which the gates know this process. */
export function addressOf(url: string, process: number): string {
  const address = new URL(url);
  address.searchParams.set('application_name', nameOf(process));
  return address.href;
}

/** Half of it is live content, which is held until somebody decides; the other half stands published already. */
export function corpus(mark: string, kinds: readonly Kind[]): object[] {
  return kinds.map((kind, at) => ({
    content_id: `${mark}-${String(at).padStart(4, '0')}`,
    source: at % 2 === 0 ? 'live' : 'back',
    text: TEXTS[kind],
  }));
}

const SHARE: readonly Kind[] = ['fine', 'spam', 'fine', 'worst', 'fine', 'fine', 'spam', 'fine', 'worst', 'fine'];

/** @returns so many kinds of text as a forum has them, with a few that the service fails. */
export function mixed(count: number): Kind[] {
  return Array.from({ length: count }, (_, at) => {
    if (at % 25 === 7) return 'broken';
    if (at % 25 === 18) return 'refused';
    return SHARE[at % SHARE.length] ?? 'fine';
  });
}
