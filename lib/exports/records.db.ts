import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { markExported } from '../work/exported.db.ts';
import { lockRun } from '../work/runs.db.ts';
import {
  ABANDON_EXPORT,
  COUNT_CLASSIFIED,
  INSERT_EXPORT,
  PUBLISH_EXPORT,
  SEAL_EXPORT,
  SELECT_UNFINISHED_EXPORTS,
} from './export.sql.ts';

/** One export as it begins. purpose is there exactly where the rows will carry text. */
export type NewExport = {
  readonly exportId: string;
  readonly runId: string;
  /** Where the finished bundle will lie. */
  readonly path: string;
  readonly purpose: string | null;
  readonly actor: Actor;
};

/** Act: an export begins. From here on text may be read, so this is the moment that is audited with its purpose. */
export async function beginExport(pool: Pool, { exportId, runId, path, purpose, actor }: NewExport): Promise<void> {
  await transact(pool, async (tx) => {
    await tx.query(INSERT_EXPORT, [exportId, runId, path, purpose !== null, purpose, actor]);
    const data = { export_id: exportId, with_text: purpose !== null, purpose };
    await writeAudit(tx, { actor, kind: 'export.started', subject: `run:${runId}`, data });
    return ok(null);
  });
}

/** What a finished bundle is known by. */
export type Seal = {
  readonly rows: number;
  readonly exceptions: number;
  readonly manifestSha256: string;
  readonly supersedes: string | null;
};

/** A published bundle. */
export type Exported = {
  readonly exportId: string;
  readonly path: string;
  /** Decision rows and exception rows. */
  readonly rows: number;
  readonly exceptions: number;
  readonly manifestSha256: string;
  readonly supersedes: string | null;
  /** True where an earlier export had been cut off between renaming and publishing and was brought to its end now. */
  readonly mended: boolean;
};

/** Keeps what the bundle is before the rename, so that a crash after it leaves a bundle that can be known again. */
export async function sealExport(db: Queryable, exportId: string, seal: Seal): Promise<void> {
  const values = [exportId, seal.rows, seal.exceptions, seal.manifestSha256, seal.supersedes];
  const { rowCount } = await db.query(SEAL_EXPORT, values);
  if (rowCount !== 1) throw new Error('the export is no longer being built');
}

/**
 * Act: a bundle that lies in its place counts as published, and the run's classified items as exported. Where the run
 * has moved on since the bundle was read (a requeue), its items wait for the next bundle, which will hold them all.
 * @returns refused `already_ended` where another process published or abandoned it.
 */
export function publishExport(
  pool: Pool,
  one: { readonly exportId: string; readonly runId: string; readonly actor: Actor } & Seal,
): Promise<Result<null, 'already_ended'>> {
  return transact(pool, async (tx) => {
    await lockRun(tx, one.runId);
    const { rowCount } = await tx.query(PUBLISH_EXPORT, [one.exportId, one.manifestSha256]);
    if (rowCount !== 1) return refused('already_ended');
    const current = (await countClassified(tx, one.runId)) === one.rows;
    if (current) await markExported(tx, one.runId);
    await writeAudit(tx, {
      actor: one.actor,
      kind: 'export.published',
      subject: `run:${one.runId}`,
      data: {
        export_id: one.exportId,
        rows: one.rows,
        exceptions: one.exceptions,
        manifest_sha256: one.manifestSha256,
        supersedes: one.supersedes,
      },
    });
    return ok(null);
  });
}

async function countClassified(tx: Tx, runId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(COUNT_CLASSIFIED, [runId]);
  return rows[0]?.count ?? 0;
}

/** Why an export came to nothing: it failed or was stopped, its process died, or its bundle was found broken. */
export type Abandoned = 'failed' | 'died' | 'not_sound';

/** Act: an export came to nothing. Its bundle was never published; the one before it still stands. */
export async function abandonExport(
  pool: Pool,
  one: { readonly exportId: string; readonly runId: string; readonly actor: Actor },
  reason: Abandoned,
): Promise<void> {
  await transact(pool, async (tx) => {
    const { rowCount } = await tx.query(ABANDON_EXPORT, [one.exportId]);
    if (rowCount !== 1) return ok(null);
    const data = { export_id: one.exportId, reason };
    await writeAudit(tx, { actor: one.actor, kind: 'export.abandoned', subject: `run:${one.runId}`, data });
    return ok(null);
  });
}

/** An export that neither published nor gave up. */
export type Unfinished = {
  readonly exportId: string;
  readonly path: string;
  readonly purpose: string | null;
  /** There once the bundle was finished and about to get its name. */
  readonly manifestSha256: string | null;
};

/** @returns the unfinished exports of a run, oldest first. With the run's export lock held, they are those of the dead. */
export async function unfinishedExports(db: Queryable, runId: string): Promise<Unfinished[]> {
  const { rows } = await db.query<{ id: string; path: string; purpose: string | null; manifest_sha256: string | null }>(
    SELECT_UNFINISHED_EXPORTS,
    [runId],
  );
  return rows.map((row) => ({
    exportId: row.id,
    path: row.path,
    purpose: row.purpose,
    manifestSha256: row.manifest_sha256,
  }));
}
