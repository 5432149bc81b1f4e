import { writeAudit } from '../audit/audit.db.ts';
import { changeStatuses } from '../content/status.db.ts';
import type { Pool } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { type DecideRefusal, lockDecidable } from '../enforcement/approve.db.ts';
import { markRejected } from '../enforcement/decide.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { addNote } from './notes.db.ts';
import { knowsReason, REJECTION_REASONS } from './reasons.ts';

export type RejectRequest = {
  readonly actionId: string;
  readonly userId: string;
  /** The revision that was read. */
  readonly revision: string;
  /** A code of REJECTION_REASONS. */
  readonly reasonCode: string;
  readonly note: string | null;
};

export type RejectRefusal = DecideRefusal | 'unknown_reason';

/**
 * Act: a moderator or the owner rejects a proposed action and releases the content: it is published with their rank. It
 * is here and not beside the approval because it keeps a note, and notes are this room's.
 * @returns the version of the record; or a refusal, with which nothing has changed.
 */
export async function rejectAndRelease(
  pool: Pool,
  request: RejectRequest,
): Promise<Result<{ statusVersion: number }, RejectRefusal>> {
  return transact<{ statusVersion: number }, RejectRefusal>(pool, async (tx) => {
    if (!knowsReason(REJECTION_REASONS, request.reasonCode)) return refused('unknown_reason');
    const locked = await lockDecidable(tx, request);
    if (!locked.ok) return locked;
    const { action, content, rank, actor } = locked.value;
    await markRejected(tx, action.id, actor, 'released');
    const versions = await changeStatuses(tx, [
      {
        content,
        next: { status: 'published', rank, action: null },
        actor,
        reason: request.reasonCode,
        answers: `action:${action.id}`,
        decisionId: action.decisionId,
        event: content.status === 'published' ? 'content.reviewed' : 'content.published',
      },
    ]);
    const statusVersion = versions.get(content.contentId);
    if (statusVersion === undefined) throw new Error('a release wrote no record');
    await addNote(tx, {
      kind: 'action',
      subject: `action:${action.id}`,
      userId: request.userId,
      text: request.note,
    });
    await writeAudit(tx, {
      actor,
      kind: 'review.released_content',
      subject: `action:${action.id}`,
      data: { reason: request.reasonCode, rank, status_version: statusVersion },
    });
    return ok({ statusVersion });
  });
}
