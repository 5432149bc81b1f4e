import type { Queryable } from '../db/pool.db.ts';
import { looksLikeId } from '../kernel/uuid.ts';
import { SELECT_SNAPSHOT_BY_ID, SELECT_SNAPSHOT_BY_NAME, SELECT_SNAPSHOTS, SELECT_TOTALS } from './snapshot.sql.ts';

/** A closed set of revisions. */
export type Snapshot = {
  readonly id: string;
  /** The first name it was given; every snapshot has one. */
  readonly name: string;
  /** All names, oldest first. */
  readonly names: readonly string[];
  readonly sha256: string;
  /** How many revisions it holds. */
  readonly revisions: number;
  readonly createdAt: Date;
};

/** A control total, taken when the snapshot closed. */
export type SnapshotTotal = { readonly source: string; readonly contentType: string; readonly revisions: number };

type SnapshotRow = { id: string; sha256: string; revisions: number; created_at: Date; names: string[] };

/** @returns the snapshot of this name or id, or null. */
export async function findSnapshot(db: Queryable, nameOrId: string): Promise<Snapshot | null> {
  const statement = looksLikeId(nameOrId) ? SELECT_SNAPSHOT_BY_ID : SELECT_SNAPSHOT_BY_NAME;
  const { rows } = await db.query<SnapshotRow>(statement, [nameOrId]);
  return rows[0] ? fromRow(rows[0]) : null;
}

/** @returns all snapshots, newest first. */
export async function listSnapshots(db: Queryable): Promise<Snapshot[]> {
  const { rows } = await db.query<SnapshotRow>(SELECT_SNAPSHOTS);
  return rows.map(fromRow);
}

/** @returns the control totals of a snapshot by source and content type, sorted bytewise. */
export async function snapshotTotals(db: Queryable, snapshotId: string): Promise<SnapshotTotal[]> {
  const { rows } = await db.query<{ source: string; content_type: string; revisions: number }>(SELECT_TOTALS, [
    snapshotId,
  ]);
  return rows.map((row) => ({ source: row.source, contentType: row.content_type, revisions: row.revisions }));
}

function fromRow(row: SnapshotRow): Snapshot {
  const name = row.names[0];
  if (name === undefined) throw new Error('a snapshot without a name');
  const { id, names, sha256, revisions } = row;
  return { id, name, names, sha256, revisions, createdAt: row.created_at };
}
