import { writeAudit } from '../audit/audit.db.ts';
import { changeStatuses, type LockedContent } from '../content/status.db.ts';
import type { StatusState } from '../content/status.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { type Decidable, lockDecidable } from '../enforcement/approve.db.ts';
import { markRejected } from '../enforcement/decide.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { openCases } from './cases.db.ts';
import { originOf } from './decision-origin.db.ts';
import { addNote } from './notes.db.ts';
import { knowsReason, REJECTION_REASONS } from './reasons.ts';
import type { RejectRefusal, RejectRequest } from './release.db.ts';

/** `caseId` is null where the decision had an unclosed case already: then that one is the review it goes back to. */
export type BackToReview = { readonly statusVersion: number; readonly caseId: string | null };

/**
 * Act: a moderator or the owner rejects a proposed action and asks for another review: a new case opens. What is public
 * stays public, what is held stays held; neither gets a new rank, so that a reviewer may decide it.
 * @returns the version of the record and the case; or a refusal, with which nothing has changed.
 */
export async function rejectToReview(pool: Pool, request: RejectRequest): Promise<Result<BackToReview, RejectRefusal>> {
  return transact<BackToReview, RejectRefusal>(pool, async (tx) => {
    if (!knowsReason(REJECTION_REASONS, request.reasonCode)) return refused('unknown_reason');
    const locked = await lockDecidable(tx, request);
    if (!locked.ok) return locked;
    const { action, actor } = locked.value;
    await markRejected(tx, action.id, actor, 'back_to_review');
    const statusVersion = await writeRecord(tx, locked.value, request.reasonCode);
    const caseId = await openAgain(tx, locked.value);
    await addNote(tx, {
      kind: 'action',
      subject: `action:${action.id}`,
      userId: request.userId,
      text: request.note,
    });
    await writeAudit(tx, {
      actor,
      kind: 'review.sent_back',
      subject: `action:${action.id}`,
      data: { reason: request.reasonCode, status_version: statusVersion, case: caseId },
    });
    return ok({ statusVersion, caseId });
  });
}

async function writeRecord(tx: Tx, { action, content, actor }: Decidable, reason: string): Promise<number> {
  const next = afterwards(content);
  const versions = await changeStatuses(tx, [
    {
      content,
      next,
      actor,
      reason,
      answers: `action:${action.id}`,
      decisionId: action.decisionId,
      event: next.status === content.status ? 'content.reviewed' : 'content.held',
    },
  ]);
  const version = versions.get(content.contentId);
  if (version === undefined) throw new Error('a rejection wrote no record');
  return version;
}

/** What still waited for a first look is held for the review it goes to. */
function afterwards(content: LockedContent): StatusState {
  if (content.status === 'pending') return { status: 'held', rank: content.rank, action: null };
  return { status: content.status, rank: content.rank, action: content.action };
}

async function openAgain(tx: Tx, { action, content, actor }: Decidable): Promise<string | null> {
  const origin = await originOf(tx, action.decisionId, { contentId: content.contentId, revision: action.revision });
  const [caseId] = await openCases(tx, [
    {
      ...origin,
      content,
      revision: action.revision,
      reasonCode: 'back_to_review',
      label: action.label,
      score: null,
      openedBy: actor,
      names: { action: action.id },
    },
  ]);
  return caseId ?? null;
}
