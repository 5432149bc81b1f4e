import type { Actor } from '../audit/audit.db.ts';
import type { Queryable, Tx } from '../db/pool.db.ts';
import { isUuid } from '../kernel/uuid.ts';
import { type Action, type ActionRow, toAction } from './action-row.ts';
import {
  APPLY_ACTION,
  APPROVE_ACTION,
  LOCK_ACTION,
  REINSTATE_ACTION,
  REJECT_ACTION,
  REVERSE_ACTION,
  SELECT_ACTION,
  WITHDRAW_SUPERSEDED,
} from './decide.sql.ts';

/** @returns the action as it is now, without a lock; null where there is none. */
export async function findAction(db: Queryable, id: string): Promise<Action | null> {
  return isUuid(id) ? one(db, SELECT_ACTION, id) : null;
}

/** Step: locks the action, whose content item the caller holds already. */
export async function lockAction(tx: Tx, id: string): Promise<Action | null> {
  return one(tx, LOCK_ACTION, id);
}

/** Step: proposed -> approved. @throws where it is not proposed: the caller holds its lock and has looked. */
export async function markApproved(tx: Tx, id: string, by: Actor): Promise<void> {
  await exactlyOne(tx, APPROVE_ACTION, [id, by]);
}

/** Step: approved -> applied, at the status version whose record says so. @throws where it is not approved. */
export async function markApplied(tx: Tx, id: string, version: number): Promise<void> {
  await exactlyOne(tx, APPLY_ACTION, [id, version]);
}

/** Step: proposed -> rejected. @throws where it is not proposed. */
export async function markRejected(
  tx: Tx,
  id: string,
  by: Actor,
  closedAs: 'released' | 'back_to_review',
): Promise<void> {
  await exactlyOne(tx, REJECT_ACTION, [id, by, closedAs]);
}

/** Step: applied -> reversed, by a review that allows or by going back through a record. @throws where it is not applied. */
export async function markReversed(tx: Tx, id: string, closedAs: 'reviewed' | 'record_reversed'): Promise<void> {
  await exactlyOne(tx, REVERSE_ACTION, [id, closedAs]);
}

/**
 * Step: the content item's action that was reversed last is applied again, as a new row with the old proposer and
 * approver; who brought it back is in the record of `version`.
 * @returns the id of the new row.
 */
export async function reinstateAction(tx: Tx, contentId: string, version: number): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(REINSTATE_ACTION, [contentId, version]);
  if (!rows[0]) throw new Error('there is no reversed action to bring back');
  return rows[0].id;
}

/**
 * Step: withdraws proposals and approvals of revisions that are no longer current.
 * @param limit at most this many at once.
 * @returns the ids.
 */
export async function withdrawSuperseded(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(WITHDRAW_SUPERSEDED, [limit]);
  return rows.map((row) => row.id);
}

async function one(db: Queryable, statement: string, id: string): Promise<Action | null> {
  const { rows } = await db.query<ActionRow>(statement, [id]);
  return rows[0] ? toAction(rows[0]) : null;
}

async function exactlyOne(tx: Tx, statement: string, values: unknown[]): Promise<void> {
  const { rowCount } = await tx.query(statement, values);
  if (rowCount !== 1) throw new Error('an action moved under its lock');
}
