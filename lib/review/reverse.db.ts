import { may } from '../access/roles.ts';
import { lockUser } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { changeStatuses, type LockedContent, lockContent } from '../content/status.db.ts';
import type { StatusState } from '../content/status.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { type ActiveAction, activeActions, withdrawActions } from '../enforcement/actions.db.ts';
import { markReversed, reinstateAction } from '../enforcement/decide.db.ts';
import { decisionId } from '../kernel/keys.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { openCases } from './cases.db.ts';
import { hasUnclosedCase, originOf } from './decision-origin.db.ts';
import { addNote } from './notes.db.ts';
import { knowsReason, REVERSAL_REASONS } from './reasons.ts';
import { type FoundRecord, findRecord } from './record.db.ts';
import { judgeReversal, type Restoration, type RestoreRefusal } from './restore.ts';

export type ReverseRequest = {
  readonly contentId: string;
  /** The version of the record to go back through. */
  readonly version: number;
  readonly userId: string;
  /** A code of REVERSAL_REASONS. */
  readonly reason: string;
  readonly note?: string | null;
};

export type ReverseRefusal = RestoreRefusal | 'not_found' | 'role_changed' | 'unknown_reason';

/** What a reversal came to; `caseId` is the case it opened where the item would else be held with nobody asked. */
export type Reversed = {
  readonly statusVersion: number;
  readonly restored: StatusState;
  readonly caseId: string | null;
};

type Found = { readonly content: LockedContent; readonly record: FoundRecord['record'] };

/**
 * Act: the owner goes back through the newest rollback record of a content item. What was before it comes back as a new
 * record; nothing is deleted, and no late result of a machine brings the reversed status back.
 * @returns what was restored; or `not_found` (no such item or record), `role_changed`, `unknown_reason`, `removed`,
 * `newer_record`, `already_reversed`, `enforcement_closed`.
 */
export async function reverseRecord(pool: Pool, request: ReverseRequest): Promise<Result<Reversed, ReverseRefusal>> {
  return transact<Reversed, ReverseRefusal>(pool, async (tx) => {
    const user = await lockUser(tx, request.userId);
    if (!user || !may(user.role, 'record.reverse')) return refused('role_changed', { role: user?.role ?? null });
    if (!knowsReason(REVERSAL_REASONS, request.reason)) return refused('unknown_reason');
    const content = (await lockContent(tx, [request.contentId])).get(request.contentId);
    const found = content && (await findRecord(tx, request));
    if (!content || !found) return refused('not_found');
    const standing = (await activeActions(tx, [content.contentId])).get(content.contentId) ?? null;
    const judged = judgeReversal({
      record: found.record,
      alreadyReversed: found.alreadyReversed,
      content,
      standing: standing?.state ?? null,
    });
    if (!judged.ok) return judged;
    return ok(await restore(tx, request, { content, record: found.record }, judged.value, standing));
  });
}

async function restore(
  tx: Tx,
  request: ReverseRequest,
  { content, record }: Found,
  restoration: Restoration,
  standing: ActiveAction | null,
): Promise<Reversed> {
  const actor: Actor = `user:${request.userId}`;
  const versions = await changeStatuses(tx, [
    {
      content,
      next: restoration.next,
      actor,
      reason: request.reason,
      answers: `record:${record.version}`,
      decisionId: record.decisionId,
      event: restoration.event,
    },
  ]);
  const statusVersion = versions.get(content.contentId);
  if (statusVersion === undefined) throw new Error('a reversal wrote no record');
  const actionId = await settleAction(tx, restoration, content.contentId, statusVersion, standing);
  const caseId = restoration.next.status === 'held' ? await askSomebody(tx, { content, record }, actor) : null;
  await addNote(tx, {
    kind: 'record',
    subject: `record:${content.contentId}:${statusVersion}`,
    userId: request.userId,
    text: request.note ?? null,
  });
  await writeAudit(tx, {
    actor,
    kind: 'review.reversed',
    subject: `content:${content.contentId}`,
    data: {
      record: record.version,
      status_version: statusVersion,
      status: restoration.next.status,
      reason: request.reason,
      action: actionId,
      case: caseId,
    },
  });
  return { statusVersion, restored: restoration.next, caseId };
}

async function settleAction(
  tx: Tx,
  restoration: Restoration,
  contentId: string,
  statusVersion: number,
  standing: ActiveAction | null,
): Promise<string | null> {
  if (restoration.action === 'reverse' && standing) await markReversed(tx, standing.id, 'record_reversed');
  // A proposal cannot outlive what it was made upon; what is applied again needs the place it holds.
  if (restoration.action !== 'reverse' && standing && standing.state !== 'applied') {
    await withdrawActions(tx, { actionIds: [standing.id], closedAs: 'newer_record' });
  }
  return restoration.action === 'reinstate' ? reinstateAction(tx, contentId, statusVersion) : (standing?.id ?? null);
}

/** What is held must be somebody's to decide. The owner has overruled what was decided, so the moderators are asked. */
async function askSomebody(tx: Tx, { content, record }: Found, actor: Actor): Promise<string | null> {
  if (await hasUnclosedCase(tx, content.contentId, content.currentRevision)) return null;
  const origin = await originOf(tx, record.decisionId, { contentId: content.contentId, revision: record.revision });
  const moved = record.revision !== content.currentRevision;
  const key = moved ? decisionId(content.contentId, content.currentRevision, origin.policyVersion) : origin.decisionId;
  const [caseId] = await openCases(tx, [
    {
      ...origin,
      decisionId: key,
      content,
      revision: content.currentRevision,
      reasonCode: 'reversal',
      label: null,
      score: null,
      openedBy: actor,
      tier: 'moderator',
      names: { record: record.version },
    },
  ]);
  return caseId ?? null;
}
