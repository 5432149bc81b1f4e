import { findUser, lockUser } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { changeStatuses, type LockedContent, lockContent } from '../content/status.db.ts';
import type { Rank } from '../content/status.ts';
import { outranks } from '../content/status.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import type { Action } from './action-row.ts';
import { type ApprovalRefusal, judgeApproval } from './approval.ts';
import { findAction, lockAction, markApplied, markApproved } from './decide.db.ts';
import { WAITING_APPROVED } from './decide.sql.ts';

export type DecideRefusal = ApprovalRefusal | 'not_found';

/** An action, its content item and the person who decides on it, all locked and judged. */
export type Decidable = {
  readonly action: Action;
  readonly content: LockedContent;
  readonly rank: Rank;
  readonly actor: Actor;
};

/**
 * Step: locks person, content item and action, in this order, and judges whether the person may decide on the proposal.
 * @param revision the revision the person has read.
 * @returns what they decide on, or why they may not; `already_decided` says who did what and when.
 */
export async function lockDecidable(
  tx: Tx,
  { actionId, userId, revision }: { actionId: string; userId: string; revision: string },
): Promise<Result<Decidable, DecideRefusal>> {
  const user = await lockUser(tx, userId);
  if (!user) return refused('role_changed');
  const found = await findAction(tx, actionId);
  if (!found) return refused('not_found');
  const content = (await lockContent(tx, [found.contentId])).get(found.contentId);
  const action = await lockAction(tx, actionId);
  if (!content || !action) throw new Error('an action has lost its content item');
  const judged = judgeApproval({ role: user.role, userId, readRevision: revision, action, content });
  if (judged.ok) return ok({ action, content, rank: judged.value, actor: `user:${userId}` });
  if (judged.refusal !== 'already_decided') return judged;
  return refused('already_decided', {
    state: action.state,
    by: action.decidedBy,
    at: action.decidedAt?.toISOString() ?? null,
  });
}

/** What an approval came to: applied at a status version, or approved and waiting for the source's switch. */
export type Approval =
  | { readonly state: 'applied'; readonly statusVersion: number }
  | { readonly state: 'approved'; readonly statusVersion: null };

/**
 * Act: a moderator or the owner approves a proposed action. Where the source's enforcement switch is open it is applied
 * in the same transaction; else it waits for `applyApproved`.
 * @param revision the revision the person has read.
 * @returns what it came to, or a refusal, with which nothing has changed.
 */
export async function approveAction(
  pool: Pool,
  request: { readonly actionId: string; readonly userId: string; readonly revision: string },
): Promise<Result<Approval, DecideRefusal>> {
  return transact<Approval, DecideRefusal>(pool, async (tx) => {
    const locked = await lockDecidable(tx, request);
    if (!locked.ok) return locked;
    const { action, content, rank, actor } = locked.value;
    await markApproved(tx, action.id, actor);
    const statusVersion = content.enforcementOpen ? await apply(tx, { action, content, rank, actor }) : null;
    await writeAudit(tx, {
      actor,
      kind: 'enforcement.approved',
      subject: `action:${action.id}`,
      data: { action: action.action, rank, applied: statusVersion !== null, status_version: statusVersion },
    });
    return ok(
      statusVersion === null ? { state: 'approved', statusVersion: null } : { state: 'applied', statusVersion },
    );
  });
}

/**
 * Act, repeated by the worker: applies what was approved while its source's switch was closed and is open now, each in a
 * transaction of its own and checked again.
 * @param limit actions at most.
 * @returns how many were applied.
 */
export async function applyApproved(pool: Pool, { limit }: { readonly limit: number }): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(WAITING_APPROVED, [limit]);
  let appliedCount = 0;
  for (const { id } of rows) {
    const applied = await transact<number, 'not_now'>(pool, (tx) => applyOne(tx, id));
    if (applied.ok) appliedCount++;
  }
  return appliedCount;
}

async function applyOne(tx: Tx, id: string): Promise<Result<number, 'not_now'>> {
  const found = await findAction(tx, id);
  if (!found) return refused('not_now');
  const content = (await lockContent(tx, [found.contentId])).get(found.contentId);
  const action = await lockAction(tx, id);
  if (!content || !action?.decidedBy || action.state !== 'approved') return refused('not_now');
  if (!content.enforcementOpen || content.currentRevision !== action.revision || content.status === 'removed') {
    return refused('not_now');
  }
  const rank = await rankOfApprover(tx, action.decidedBy);
  if (outranks(content.rank, rank)) return refused('not_now');
  const statusVersion = await apply(tx, { action, content, rank, actor: action.decidedBy });
  await writeAudit(tx, {
    actor: 'system',
    kind: 'enforcement.applied',
    subject: `action:${id}`,
    data: { action: action.action, rank, status_version: statusVersion },
  });
  return ok(statusVersion);
}

/** An approval stands after a change of role: whoever gave it was at least a moderator then. */
async function rankOfApprover(tx: Tx, decidedBy: Actor): Promise<Rank> {
  const user = await findUser(tx, decidedBy.replace(/^user:/, ''));
  return user?.role === 'owner' ? 'owner' : 'moderator';
}

async function apply(tx: Tx, { action, content, rank, actor }: Decidable): Promise<number> {
  const versions = await changeStatuses(tx, [
    {
      content,
      next: { status: 'restricted', rank, action: action.action },
      actor,
      reason: action.reasonCode ?? 'approved',
      answers: `action:${action.id}`,
      decisionId: action.decisionId,
      event: 'content.restricted',
    },
  ]);
  const version = versions.get(action.contentId);
  if (version === undefined) throw new Error('the status of an approved item did not change');
  await markApplied(tx, action.id, version);
  return version;
}
