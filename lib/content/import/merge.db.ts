import type { PoolClient } from 'pg';
import { writeAudit } from '../../audit/audit.db.ts';
import { decisionId, NO_POLICY } from '../../kernel/keys.ts';
import { changeStatuses, lockContent } from '../status.db.ts';
import { type ClosedSnapshot, closeSnapshot } from './close-snapshot.db.ts';
import type { RowCode } from './fault.ts';
import * as sql from './merge.sql.ts';
import type { ImportOptions, SourceKind } from './options.ts';
import type { ContentType } from './row.ts';

/** Content that changes its status with an edit, a transaction's statement at a time. */
const STATUS_BATCH = 1_000;

/** A staged row that contradicts what is stored, or another row. */
export type Conflict = {
  readonly file: number;
  readonly line: number;
  readonly code: RowCode;
  readonly field: string | null;
};

export type Merged = ClosedSnapshot & {
  /** Revisions that were not known before. */
  readonly added: number;
  /** Known content that got a new current revision. */
  readonly edited: number;
  /** Those of them that were published and now wait for approval. */
  readonly unpublished: number;
  readonly by: readonly {
    readonly source: string;
    readonly kind: SourceKind;
    readonly contentType: ContentType;
    readonly revisions: number;
  }[];
  readonly conflicts: readonly Conflict[];
  readonly conflictCount: number;
};

export type MergeRefusal = {
  readonly ok: false;
  readonly refusal: 'rejected_rows' | 'empty_snapshot' | 'snapshot_name_taken';
  readonly conflicts: readonly Conflict[];
  readonly conflictCount: number;
};

/**
 * Step: takes what is staged on this connection into the tables that everybody sees, and closes its snapshot. Every
 * statement works on the whole set. Locks: sources by name, content by id, then the snapshot.
 * @param faultCount rows that were rejected before they were staged.
 * @param options.firstFile names a snapshot that was given no name; `conflictsMax` bounds the conflicts told.
 */
export async function mergeStaged(
  client: PoolClient,
  faultCount: number,
  options: ImportOptions & { readonly firstFile: string; readonly conflictsMax: number },
): Promise<{ readonly ok: true; readonly value: Merged } | MergeRefusal> {
  const sources = await client.query<{ name: string }>(sql.INSERT_SOURCES, [options.kind ?? null]);
  if (options.kind) await client.query(sql.REJECT_KINDS, [options.kind]);
  await client.query(sql.CREATE_UNITS);
  await client.query(sql.ANALYZE_UNITS);
  await client.query(sql.INSERT_ITEMS);
  await rejectConflicts(client);
  const found = await conflictsOf(client, options.conflictsMax);
  const refused = (refusal: MergeRefusal['refusal']): MergeRefusal => ({ ok: false, refusal, ...found });
  if (!options.skipBad && faultCount + found.conflictCount > 0) return refused('rejected_rows');
  await client.query(sql.CREATE_NEW_REVISIONS);
  const counted = await client.query<Pick<Merged, 'revisions' | 'added'>>(sql.COUNT_UNITS);
  const { revisions, added } = only(counted.rows);
  if (revisions === 0) return refused('empty_snapshot');
  await client.query(sql.INSERT_REVISIONS);
  await client.query(sql.INSERT_TEXTS);
  const edits = await applyEdits(client);
  await client.query(sql.INSERT_GOLD);
  await client.query(sql.DELETE_EMPTY_SOURCES, [sources.rows.map((row) => row.name)]);
  const by = await client.query<{ source: string; kind: SourceKind; content_type: ContentType; revisions: number }>(
    sql.SELECT_MEMBER_TOTALS,
  );
  const snapshot = await closeSnapshot(client, revisions, options);
  if (!snapshot) return refused('snapshot_name_taken');
  await writeAudit(client, {
    actor: options.actor,
    kind: 'content.imported',
    subject: `snapshot:${snapshot.snapshotId}`,
    data: { sha256: snapshot.sha256, revisions, added, rejected: faultCount + found.conflictCount, ...edits },
  });
  const totals = by.rows.map((row) => ({
    source: row.source,
    kind: row.kind,
    contentType: row.content_type,
    revisions: row.revisions,
  }));
  return { ok: true, value: { ...snapshot, added, ...edits, by: totals, ...found } };
}

/** What contradicts the stored content. From here on nobody else adds a revision or gold to the content at hand. */
async function rejectConflicts(client: PoolClient): Promise<void> {
  const odd = await client.query(sql.REJECT_TYPES_AND_SOURCES);
  await client.query(sql.LOCK_ITEMS);
  const revisions = await client.query(sql.REJECT_REVISIONS);
  const gold = await client.query(sql.REJECT_GOLD);
  if ((odd.rowCount ?? 0) + (revisions.rowCount ?? 0) + (gold.rowCount ?? 0) === 0) return;
  await client.query(sql.DROP_UNITS);
  await client.query(sql.CREATE_UNITS);
  await client.query(sql.ANALYZE_UNITS);
}

async function conflictsOf(client: PoolClient, max: number): Promise<Pick<Merged, 'conflicts' | 'conflictCount'>> {
  const counted = await client.query<{ rejected: number }>(sql.COUNT_REJECTS);
  const conflictCount = only(counted.rows).rejected;
  if (conflictCount === 0) return { conflicts: [], conflictCount };
  const { rows } = await client.query<Conflict>(sql.SELECT_REJECTS, [max]);
  return { conflicts: rows, conflictCount };
}

/**
 * A new revision of known content becomes current and inherits no approval: where the source is screened before
 * publication, published content waits again. Held, restricted and removed stay: an edit lifts nothing.
 */
async function applyEdits(client: PoolClient): Promise<Pick<Merged, 'edited' | 'unpublished'>> {
  await client.query(sql.CREATE_EDITS);
  const { rowCount: edited } = await client.query(sql.UPDATE_EDITED);
  let unpublished = 0;
  for (let after = ''; ; ) {
    const { rows } = await client.query<{ content_id: string }>(sql.SELECT_UNPUBLISHED, [after, STATUS_BATCH]);
    const last = rows.at(-1);
    if (!last) return { edited: edited ?? 0, unpublished };
    after = last.content_id;
    unpublished += rows.length;
    const locked = await lockContent(
      client,
      rows.map((row) => row.content_id),
    );
    await changeStatuses(
      client,
      [...locked.values()].map((content) => ({
        content,
        next: { status: 'pending', rank: 'policy', action: null },
        actor: 'system',
        reason: 'new_revision',
        answers: null,
        decisionId: decisionId(content.contentId, content.currentRevision, NO_POLICY),
        // Nobody may see it until it is approved: for whoever listens that is held, and the data says pending.
        event: 'content.held',
      })),
    );
  }
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always answers did not');
  return row;
}
