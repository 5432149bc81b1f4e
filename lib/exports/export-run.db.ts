import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Actor } from '../audit/audit.db.ts';
import type { Pool } from '../db/pool.db.ts';
import { ok, type Refused, type Result, refused } from '../kernel/result.ts';
import { findRun, type Run } from '../work/runs.db.ts';
import { type BuildRequest, buildBundle, type ExportStage } from './build.db.ts';
import { bundlePath, partialPath, promote, removePartial } from './bundle-folder.fs.ts';
import { RELEASE_EXPORT_LOCK, TRY_EXPORT_LOCK } from './export.sql.ts';
import { mendExports } from './mend.db.ts';
import { isPurpose } from './purpose.ts';
import { countTotals, countUnfinished, type ExportHeader, readHeader } from './read.db.ts';
import { BEGIN_READING, READ_WITHOUT_JIT } from './read.sql.ts';
import type { Reader } from './read-rows.db.ts';
import { abandonExport, beginExport, type Exported, publishExport, type Seal, sealExport } from './records.db.ts';
import { compareTotals } from './tally.ts';
import { verifyBundle } from './verify.fs.ts';

export type ExportRequest = {
  /** Name or id. */
  readonly run: string;
  /** An absolute path; made where it is missing. */
  readonly outFolder: string;
  readonly gzip: boolean;
  /** Why text is exported; null exports no text. */
  readonly purpose: string | null;
  readonly actor: Actor;
  /** Which Docket wrote it. */
  readonly docket: { readonly version: string; readonly commit: string | null };
  readonly signal?: AbortSignal;
  readonly onStage?: (stage: ExportStage) => void | Promise<void>;
};

/**
 * `pending_work` (detail: pending, leased, state, pause_reason), `does_not_reconcile` (detail: differences, and the first
 * as `docket reconcile` tells it), `totals_differ` (detail: differences, what, expected, found: the rows that were written
 * are not those that were counted), `not_sound` (detail: problems,
 * code, file, line, what: the finished rows break a rule), `export_running` (another process exports this run).
 */
export type ExportRefusal =
  | 'unknown_run'
  | 'bad_purpose'
  | 'pending_work'
  | 'export_running'
  | 'does_not_reconcile'
  | 'totals_differ'
  | 'not_sound';

/**
 * Act: publishes the bundle of a run. It is built beside its place, counted apart, verified as a stranger would and
 * renamed once; whatever fails before leaves neither a bundle nor a half of one, and earlier bundles as they were.
 * Writing happens in short transactions; the rows are read at one cursor in a transaction that writes nothing.
 * @throws what the disk throws, and the signal's reason when aborted.
 */
export async function exportRun(pool: Pool, request: ExportRequest): Promise<Result<Exported, ExportRefusal>> {
  if (request.purpose !== null && !isPurpose(request.purpose)) return refused('bad_purpose');
  const run = await findRun(pool, request.run);
  if (!run) return refused('unknown_run');
  const client = await pool.connect();
  const reader: Reader = { client, broken: undefined };
  try {
    if (!(await takeLock(client, run.id))) return refused('export_running');
    try {
      return await exportAlone(pool, reader, run, request);
    } finally {
      if (!reader.broken) {
        await client.query(RELEASE_EXPORT_LOCK, [run.id]).catch((error: Error) => {
          reader.broken = error;
        });
      }
    }
  } finally {
    // A connection that cannot give up the lock in order gives it up with its life.
    client.release(reader.broken);
  }
}

/** How long to wait for a lock whose holder may just have died: the server notices within moments. */
export const EXPORT_LOCK_WAIT_MS = 2_000;
const EXPORT_LOCK_POLL_MS = 50;

async function takeLock(client: pg.PoolClient, runId: string): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += EXPORT_LOCK_POLL_MS) {
    const { rows } = await client.query<{ held: boolean }>(TRY_EXPORT_LOCK, [runId]);
    if (rows[0]?.held) return true;
    if (waitedMs >= EXPORT_LOCK_WAIT_MS) return false;
    await delay(EXPORT_LOCK_POLL_MS);
  }
}

async function exportAlone(
  pool: Pool,
  reader: Reader,
  run: Run,
  request: ExportRequest,
): Promise<Result<Exported, ExportRefusal>> {
  const mended = await mendExports(pool, reader.client, run.id, request);
  const unfinished = await refuseUnfinished(reader.client, run);
  if (unfinished) return unfinished;
  if (mended) return ok(mended);
  const exportId = `exp_${randomUUID()}`;
  const finalPath = bundlePath(request.outFolder, exportId);
  const { purpose, actor } = request;
  const identity = { exportId, runId: run.id, path: finalPath, purpose, actor };
  await beginExport(pool, identity);
  let renamed = false;
  const onStage = async (stage: ExportStage): Promise<void> => {
    if (stage.stage === 'renamed') renamed = true;
    await request.onStage?.(stage);
  };
  const build = { ...request, ...identity, finalPath, onStage };
  try {
    const result = await buildAndPublish(pool, reader, run, build);
    if (!result.ok) await giveUp();
    return result;
  } catch (thrown) {
    // Once it has its name the bundle is whole; the next export finds it and brings it to its end, as it does where
    // clearing up fails too, which must not hide what went wrong first.
    if (!renamed) await giveUp().catch(() => {});
    throw thrown;
  }

  async function giveUp(): Promise<void> {
    await removePartial(finalPath);
    await abandonExport(pool, identity, 'failed');
  }
}

type Build = BuildRequest & { readonly actor: Actor };

async function buildAndPublish(
  pool: Pool,
  reader: Reader,
  run: Run,
  build: Build,
): Promise<Result<Exported, ExportRefusal>> {
  const read = await readAtOneMoment(reader, run, build);
  if (!read.ok) return read;
  await build.onStage({ stage: 'built' });
  const verified = await verifyBundle(partialPath(build.finalPath));
  if (!verified.ok || verified.manifestSha256 === null) {
    const first = verified.problems[0];
    return refused('not_sound', {
      problems: verified.problemCount,
      code: first?.code ?? 'bad_manifest',
      file: first?.file ?? null,
      line: first?.line ?? null,
      what: first?.what ?? null,
    });
  }
  build.signal?.throwIfAborted();
  const { rows, exceptions, manifestSha256 } = verified;
  const seal: Seal = { rows, exceptions, manifestSha256, supersedes: read.value.supersedes };
  await sealExport(pool, build.exportId, seal);
  await build.onStage({ stage: 'verified' });
  await promote(build.finalPath);
  await build.onStage({ stage: 'renamed' });
  const published = await publishExport(pool, { ...build, ...seal });
  if (!published.ok) throw new Error('the export was ended by another process');
  await build.onStage({ stage: 'published' });
  return ok({ exportId: build.exportId, path: build.finalPath, ...seal, mended: false });
}

/** Header, counts and rows in one REPEATABLE READ transaction: all of the bundle is one moment. */
async function readAtOneMoment(reader: Reader, run: Run, build: Build): Promise<Result<ExportHeader, ExportRefusal>> {
  const { client } = reader;
  await client.query(BEGIN_READING);
  try {
    await client.query(READ_WITHOUT_JIT);
    const header = await readHeader(client, run.id);
    if (!header) return refused('unknown_run');
    const unfinished = await refuseUnfinished(client, run);
    if (unfinished) return unfinished;
    const { totals, reconciliation } = await countTotals(client, run.id);
    const open = reconciliation.differences[0];
    if (open) return refused('does_not_reconcile', { differences: reconciliation.differences.length, ...open });
    const written = await buildBundle(reader, build, header, totals);
    const [first, ...more] = compareTotals(totals, written);
    return first ? refused('totals_differ', { differences: more.length + 1, ...first }) : ok(header);
  } finally {
    // A lost connection has nothing to roll back, and must not hide why it was lost.
    if (!reader.broken) await client.query('ROLLBACK').catch(() => {});
  }
}

async function refuseUnfinished(client: pg.PoolClient, run: Run): Promise<Refused<'pending_work'> | null> {
  const { pending, leased } = await countUnfinished(client, run.id);
  if (pending + leased === 0) return null;
  return refused('pending_work', { pending, leased, state: run.state, pause_reason: run.pauseReason });
}
