import type { PoolClient } from 'pg';
import { defaultSnapshotName } from '../snapshot-name.ts';
import {
  INSERT_MEMBERS,
  INSERT_NAME,
  INSERT_SNAPSHOT,
  INSERT_TOTALS,
  SELECT_NAME,
  SELECT_NAMES,
  SELECT_SNAPSHOT_ID,
} from './merge.sql.ts';
import { hashMembers } from './snapshot-hash.db.ts';

export type ClosedSnapshot = {
  readonly snapshotId: string;
  /** The name asked for, else its first. */
  readonly snapshot: string;
  /** All its names, oldest first. */
  readonly names: readonly string[];
  readonly sha256: string;
  readonly revisions: number;
};

/**
 * Step: closes the members of the import at hand as a snapshot with its control totals; the same members are the same
 * snapshot, to which a new name is added.
 * @returns null where the name belongs to a snapshot with other members.
 */
export async function closeSnapshot(
  client: PoolClient,
  revisions: number,
  options: { readonly snapshotName?: string | undefined; readonly firstFile: string },
): Promise<ClosedSnapshot | null> {
  const sha256 = await hashMembers(client);
  const snapshotId = await snapshotOf(client, sha256, revisions);
  const known = await namesOf(client, snapshotId);
  const name = options.snapshotName ?? known[0] ?? defaultSnapshotName(options.firstFile, sha256);
  await client.query(INSERT_NAME, [name, snapshotId]);
  const named = await client.query<{ snapshot_id: string }>(SELECT_NAME, [name]);
  if (named.rows[0]?.snapshot_id !== snapshotId) return null;
  return { snapshotId, snapshot: name, names: known.includes(name) ? known : [...known, name], sha256, revisions };
}

async function snapshotOf(client: PoolClient, sha256: string, revisions: number): Promise<string> {
  const inserted = await client.query<{ id: string }>(INSERT_SNAPSHOT, [sha256, revisions]);
  const own = inserted.rows[0];
  if (own) {
    await client.query(INSERT_MEMBERS, [own.id]);
    await client.query(INSERT_TOTALS, [own.id]);
    return own.id;
  }
  const { rows } = await client.query<{ id: string }>(SELECT_SNAPSHOT_ID, [sha256]);
  if (!rows[0]) throw new Error('a snapshot is neither new nor there');
  return rows[0].id;
}

async function namesOf(client: PoolClient, snapshotId: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(SELECT_NAMES, [snapshotId]);
  return rows.map((row) => row.name);
}
