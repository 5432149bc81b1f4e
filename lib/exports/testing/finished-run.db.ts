import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type TestDatabase, testDatabase } from '../../db/testing.db.ts';
import { type ExportRequest, exportRun } from '../export-run.db.ts';
import type { Exported } from '../records.db.ts';
import { type SeededRun, type SeedItem, seedRun } from './run.db.ts';

/** Ids whose order differs between UTF-8, UTF-16 and any human language, every verdict, and an exception. */
export const ITEMS: readonly SeedItem[] = [
  ...['a', 'B', 'ä', 'Z', '_', 'a-b', 'ab', 'A', '～', '😀', '10', '9'].map((id) => ({
    contentId: id,
    end: 'allow' as const,
  })),
  {
    contentId: 'spam',
    end: 'restrict',
    source: 'forum/b',
    contentType: 'post',
    title: 'Title',
    text: 'Buy "now"\n\t\u2028',
  },
  { contentId: 'odd', revision: '1', end: 'review' },
  { contentId: 'odd', revision: '01', end: 'review' },
  { contentId: 'lost', end: 'exception' },
];

/** A database, a folder, and before each test a finished run of ITEMS whose content no other test shares. */
export function finishedRun() {
  let database: TestDatabase;
  let root: string;
  let run: SeededRun;
  let count = 0;
  beforeAll(async () => {
    database = await testDatabase({ max: 6 });
    root = await mkdtemp(path.join(tmpdir(), 'docket export '));
  });
  afterAll(async () => {
    await database.close();
    await rm(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    count++;
    const items = ITEMS.map((item) => ({ ...item, contentId: id(item.contentId) }));
    run = await seedRun(database.pool, items, { name: `run ${count}` });
  });
  const id = (name: string): string => `t${count}-${name}`;
  const out = (): string => path.join(root, `out ${count}`);
  const request = (more: Partial<ExportRequest> = {}): ExportRequest => ({
    run: run.name,
    outFolder: out(),
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket: { version: '0.1.0', commit: null },
    ...more,
  });
  return {
    get pool() {
      return database.pool;
    },
    get run() {
      return run;
    },
    get root() {
      return root;
    },
    /** A name that no other test has. */
    named: (name: string): string => `${name} ${count}`,
    id,
    out,
    request,
    /** Exports; a refusal fails the test. */
    exported: async (more: Partial<ExportRequest> = {}): Promise<Exported> => {
      const result = await exportRun(database.pool, request(more));
      if (!result.ok) throw new Error(`${result.refusal} ${JSON.stringify(result.detail)}`);
      return result.value;
    },
    /** How many items of the run are in each state. */
    states: async (): Promise<Record<string, number>> => {
      const { rows } = await database.pool.query(
        'SELECT state, count(*) AS count FROM work_item WHERE run_id = $1 GROUP BY state ORDER BY state',
        [run.runId],
      );
      return Object.fromEntries(rows.map((row) => [row.state, row.count]));
    },
    /** What no act does, done by hand to see it found: the triggers are taken away for one statement. */
    tamper: async (table: string, statement: string, values: unknown[]): Promise<void> => {
      await database.pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      await database.pool.query(statement, values);
      await database.pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    },
  };
}

/** @returns the rows of one file of a bundle. */
export async function rowsOf(folder: string, name: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
