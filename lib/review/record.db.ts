import type { StatusState } from '../content/status.ts';
import type { Queryable } from '../db/pool.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import { itemState } from '../enforcement/item-view.db.ts';
import { type Result, refused } from '../kernel/result.ts';
import { SELECT_RECORD } from './record.sql.ts';
import { judgeReversal, type RecordFacts, type Restoration, type RestoreRefusal } from './restore.ts';

/** A rollback record as a reversal needs it. */
export type FoundRecord = {
  readonly record: RecordFacts & { readonly decisionId: string };
  readonly alreadyReversed: boolean;
};

/** @returns the record of this status version, or null. */
export async function findRecord(
  db: Queryable,
  { contentId, version }: { contentId: string; version: number },
): Promise<FoundRecord | null> {
  const { rows } = await db.query<{
    version: number;
    revision: string;
    prior_status: StatusState['status'];
    prior_rank: StatusState['rank'];
    prior_action: StatusState['action'];
    decision_id: string;
    already_reversed: boolean;
  }>(SELECT_RECORD, [contentId, version]);
  const row = rows[0];
  if (!row) return null;
  const prior = { status: row.prior_status, rank: row.prior_rank, action: row.prior_action };
  return {
    record: { version: row.version, revision: row.revision, prior, decisionId: row.decision_id },
    alreadyReversed: row.already_reversed,
  };
}

/**
 * Reads what reversing a record would restore now, by the rule of the act and without changing anything.
 * @returns what would be restored; or why it would be refused, as `reverseRecord` says it.
 */
export async function previewReversal(
  db: Queryable,
  { contentId, version }: { contentId: string; version: number },
): Promise<Result<Restoration, RestoreRefusal | 'not_found'>> {
  const found = await findRecord(db, { contentId, version });
  const content = found && (await itemState(db, contentId));
  if (!found || !content) return refused('not_found');
  const standing = (await activeActions(db, [contentId])).get(contentId)?.state ?? null;
  return judgeReversal({ record: found.record, alreadyReversed: found.alreadyReversed, content, standing });
}
