import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { type ExportRequest, exportRun } from './export-run.db.ts';
import { type SeededRun, seedRun } from './testing/run.db.ts';
import { verifyBundle } from './verify.fs.ts';

let database: TestDatabase;
let root: string;
let out: string;
let count = 0;
let run: SeededRun;
beforeAll(async () => {
  database = await testDatabase();
  root = await mkdtemp(path.join(tmpdir(), 'docket crash '));
});
afterAll(async () => {
  await database.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  count++;
  out = path.join(root, `out ${count}`);
  // More decisions than one fetch from the cursor, so that some rows are written before the rest.
  const items = Array.from({ length: 2_500 }, (_, i) => ({
    contentId: `t${count}-${i}`,
    end: i % 50 === 0 ? ('exception' as const) : ('allow' as const),
  }));
  run = await seedRun(database.pool, items, { name: `run ${count}` });
});

function request(more: Partial<ExportRequest> = {}): ExportRequest {
  return {
    run: run.name,
    outFolder: out,
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket: { version: '0.1.0', commit: null },
    ...more,
  };
}

async function exported(more: Partial<ExportRequest> = {}) {
  const result = await exportRun(database.pool, request(more));
  if (!result.ok) throw new Error(result.refusal);
  return result.value;
}

async function exportAndDie(point: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'testing', 'export-and-die.db.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, database.url, run.name, out, point], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  expect({ point, code, signal }).toEqual({ point, code: null, signal: 'SIGKILL' });
}

async function exportStates(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT state FROM export WHERE run_id = $1 ORDER BY created_at, id', [
    run.runId,
  ]);
  return rows.map((row) => row.state);
}

async function itemStates(): Promise<string[]> {
  const { rows } = await database.pool.query('SELECT DISTINCT state FROM work_item WHERE run_id = $1 ORDER BY state', [
    run.runId,
  ]);
  return rows.map((row) => row.state);
}

describe('an export killed without warning', () => {
  test.each(['rows_none', 'rows_some', 'rows_all', 'before_manifest', 'built', 'verified'])(
    'at %s leaves no bundle, hurts no other, and the next export clears up after it',
    async (point) => {
      const good = await exported();
      await exportAndDie(point);
      const left = await readdir(out);
      const partial = left.filter((name) => name !== good.exportId);
      expect(partial).toEqual([expect.stringMatching(/^\.exp_.*\.partial$/)]);
      if (point.startsWith('rows') || point === 'before_manifest') {
        expect((await verifyBundle(path.join(out, partial[0] as string))).ok).toBe(false);
      }
      expect((await verifyBundle(good.path, good)).ok).toBe(true);
      const next = await exported();
      expect(next).toMatchObject({ mended: false, supersedes: good.exportId });
      expect((await readdir(out)).sort()).toEqual([good.exportId, next.exportId].sort());
      expect(await exportStates()).toEqual(['published', 'abandoned', 'published']);
    },
  );

  test('between renaming and marking leaves a sound bundle, which the next export finds, verifies and marks', async () => {
    await exportAndDie('renamed');
    expect(await itemStates()).toEqual(['classified', 'failed_review']);
    const [name] = await readdir(out);
    const mended = await exported();
    expect(mended).toMatchObject({ exportId: name, mended: true, rows: 2_450, exceptions: 50 });
    expect((await verifyBundle(mended.path, mended)).ok).toBe(true);
    expect(await exportStates()).toEqual(['published']);
    expect(await itemStates()).toEqual(['exported', 'failed_review']);
    expect((await exported()).supersedes).toBe(mended.exportId);
  });

  test('between renaming and marking: asked for in another form, it is marked and superseded', async () => {
    await exportAndDie('renamed');
    const [name] = await readdir(out);
    const packed = await exported({ gzip: true });
    expect(packed).toMatchObject({ mended: false, supersedes: name });
    expect(await exportStates()).toEqual(['published', 'published']);
  });

  test('between renaming and marking: where the run has moved on, it is marked and superseded', async () => {
    await exportAndDie('renamed');
    const [name] = await readdir(out);
    await database.pool.query(
      "UPDATE work_item SET failure_code = NULL, failed_at = NULL, state = 'pending' WHERE run_id = $1 AND state = 'failed_review'",
      [run.runId],
    );
    expect(await exportRun(database.pool, request())).toMatchObject({
      refusal: 'pending_work',
      detail: { pending: 50 },
    });
    expect(await exportStates()).toEqual(['published']);
    await database.pool.query(
      "UPDATE work_item SET failure_code = 'refused', failed_at = now(), state = 'failed_review' WHERE run_id = $1 AND state = 'pending'",
      [run.runId],
    );
    expect((await exported()).supersedes).toBe(name);
  });

  test('and whose bundle was changed before anyone marked it is abandoned, left to be seen, and made anew', async () => {
    await exportAndDie('renamed');
    const [name = ''] = await readdir(out);
    const file = path.join(out, name, 'decisions.ndjson');
    await writeFile(file, (await readFile(file, 'utf8')).replace('allow', 'restrict'));
    const next = await exported();
    expect(next).toMatchObject({ mended: false, supersedes: null });
    expect(await exportStates()).toEqual(['abandoned', 'published']);
    expect((await readdir(out)).sort()).toEqual([name, next.exportId].sort());
  });

  test('never touches a build that is not its own', async () => {
    const foreign = path.join(out, '.exp_00000000-0000-4000-8000-000000000001.partial');
    await mkdir(foreign, { recursive: true });
    await exportAndDie('before_manifest');
    await exported();
    expect(await readdir(out)).toContain(path.basename(foreign));
  });

  test('on a machine whose disk this one does not see is left for that machine', async () => {
    await exportAndDie('before_manifest');
    await rm(out, { recursive: true });
    const elsewhere = path.join(root, `elsewhere ${count}`);
    expect((await exported({ outFolder: elsewhere })).mended).toBe(false);
    expect(await exportStates()).toEqual(['building', 'published']);
  });
});
