import { lockUser } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { lockContent } from '../content/status.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { isUuid } from '../kernel/uuid.ts';
import { findPolicy } from '../policy/versions.db.ts';
import { type CaseRow, findCase, type Held, type HeldRefusal, lockCase, lockHeldCase } from './case-row.db.ts';
import { addCaseEvents } from './cases.db.ts';
import { ONE_AT_A_TIME, REOPEN_CASE } from './claim.sql.ts';
import type { JudgeRefusal, ReviewVerdict } from './judge.ts';
import { CLAIM_MS, PREFETCH_COUNT, TAKE_BACK_MS } from './limits.ts';
import { addNote, checkedNote, dropDraft, keepAsDraft, takeSubmissionNote } from './notes.db.ts';
import { faultOf, rulebook, sortedLabels } from './rulebook.ts';
import { findSubmission } from './submission.db.ts';
import {
  BEYOND_PREFETCH,
  INSERT_SUBMISSION,
  MARK_SUBMITTED,
  RESUME_CLAIM,
  SENT_BEFORE,
  SET_ASIDE_OTHERS,
  TAKE_BACK,
} from './submission.sql.ts';
import { weigh } from './weigh.db.ts';

/** What a reviewer sends with one key press. */
export type Review = Held & {
  readonly verdict: ReviewVerdict;
  /** The labels that apply, whatever the verdict. */
  readonly labels: readonly string[];
  readonly reasonCode: string | null;
  readonly note: string | null;
  /** The revision that was read. */
  readonly revision: string;
};

/** A review on its way: it counts from effectiveAt on, and until then its author can take it back. */
export type Submitted = { readonly submissionId: string; readonly effectiveAt: Date };

export type SubmitRefusal = HeldRefusal | JudgeRefusal | 'reason_required' | 'unknown_reason' | 'unknown_label';

/**
 * Act: stores a review that becomes effective TAKE_BACK_MS from now. Nothing public changes yet. What would be refused
 * then is refused at once where it can be known. The same claim sending the same again gets the same submission.
 * @returns the submission; or a refusal, with which the note is kept as its author's draft: `not_found`, `claim_lost`,
 * `already_decided` (who, when, what), `stale_revision`, `removed`, `outranked`, `role_changed`, `reason_required`,
 * `unknown_reason`, `unknown_label`.
 */
export async function submitReview(pool: Pool, sent: Review): Promise<Result<Submitted, SubmitRefusal>> {
  const review: Review = { ...sent, labels: sortedLabels(sent.labels), note: checkedNote(sent.note) };
  const submitted = await transact<Submitted, SubmitRefusal>(pool, (tx) => submit(tx, review));
  // The refusal has rolled back whatever the act wrote; the note is kept in a statement of its own.
  if (!submitted.ok && submitted.refusal !== 'not_found') {
    await keepAsDraft(pool, review.caseId, review.userId, review.note);
  }
  return submitted;
}

async function submit(tx: Tx, review: Review): Promise<Result<Submitted, SubmitRefusal>> {
  const user = await lockUser(tx, review.userId);
  if (!user) return refused('role_changed');
  const known = await findCase(tx, review.caseId);
  if (!known) return refused('not_found');
  const content = (await lockContent(tx, [known.contentId])).get(known.contentId);
  if (!content) throw new Error('a case has lost its content item');
  await lockCase(tx, review.caseId);
  const before = await sentBefore(tx, review);
  if (before) return before;
  const held = await lockHeldCase(tx, review);
  if (!held.ok) return held;
  const found = held.value;
  if (review.revision !== found.revision) return refused('stale_revision');
  const policy = await findPolicy(tx, found.policyVersion);
  const fault = faultOf(rulebook(policy?.document ?? null), review);
  if (fault) return refused(fault);
  const weighed = await weigh(tx, { found, content, role: user.role, verdict: review.verdict });
  if (!weighed.ok) return weighed;
  return ok(await store(tx, review));
}

/** The answer to a request that arrives twice; another body under the same claim comes too late. */
async function sentBefore(tx: Tx, review: Review): Promise<Result<Submitted, 'already_decided'> | null> {
  if (!isUuid(review.token)) return null;
  const { rows } = await tx.query<{
    id: string;
    verdict: string;
    labels: string[];
    reason_code: string | null;
    effective_at: Date;
    note: string | null;
  }>(SENT_BEFORE, [review.caseId, review.token, review.userId]);
  const sent = rows[0];
  if (!sent) return null;
  const same =
    sent.verdict === review.verdict &&
    sent.reason_code === review.reasonCode &&
    sent.note === review.note &&
    JSON.stringify(sent.labels) === JSON.stringify(review.labels);
  return same
    ? ok({ submissionId: sent.id, effectiveAt: sent.effective_at })
    : refused('already_decided', { state: 'submitted', by: review.userId });
}

async function store(tx: Tx, review: Review): Promise<Submitted> {
  const { caseId, token, userId, verdict, labels, reasonCode } = review;
  const values = [caseId, token, userId, verdict, labels, reasonCode, TAKE_BACK_MS];
  const { rows } = await tx.query<{ id: string; effective_at: Date }>(INSERT_SUBMISSION, values);
  const row = rows[0];
  const { rowCount } = await tx.query(MARK_SUBMITTED, [caseId, token]);
  if (!row || rowCount !== 1) throw new Error('a case moved under its lock');
  await addNote(tx, { kind: 'submission', subject: `submission:${row.id}`, userId, text: review.note });
  await dropDraft(tx, caseId, userId);
  const actor: Actor = `user:${userId}`;
  await addCaseEvents(tx, [{ caseId, kind: 'submitted', actor, data: { submission: row.id, verdict } }]);
  await writeAudit(tx, {
    actor,
    kind: 'review.submitted',
    subject: `case:${caseId}`,
    data: { submission: row.id, verdict, labels, reason: reasonCode },
  });
  return { submissionId: row.id, effectiveAt: row.effective_at };
}

/** A claim that goes on where it was before the key was pressed. */
export type TakenBack = { readonly caseId: string; readonly token: string; readonly expiresAt: Date };

export type TakeBackRefusal = 'not_found' | 'not_yours' | 'already_decided';

/**
 * Act: takes a submission back, once and only until it becomes effective. The case is claimed again under the same
 * token, the note is the draft again, and what its author had turned to meanwhile waits beside it.
 * @returns the claim; or `not_found`, `not_yours`, `already_decided` (taken back before, refused, or effective).
 */
export async function takeBack(
  pool: Pool,
  { submissionId, userId }: { submissionId: string; userId: string },
): Promise<Result<TakenBack, TakeBackRefusal>> {
  return transact<TakenBack, TakeBackRefusal>(pool, async (tx) => {
    await tx.query(ONE_AT_A_TIME, [userId]);
    const submission = await findSubmission(tx, submissionId);
    if (!submission) return refused('not_found');
    if (submission.userId !== userId) return refused('not_yours');
    const found = await lockCase(tx, submission.caseId);
    const { rowCount } = await tx.query(TAKE_BACK, [submissionId]);
    if (!found || rowCount !== 1) {
      const now = await findSubmission(tx, submissionId);
      return refused('already_decided', { state: now?.state ?? null });
    }
    return ok(await resume(tx, found, { submissionId, userId, token: submission.token }));
  });
}

async function resume(
  tx: Tx,
  found: CaseRow,
  { submissionId, userId, token }: { submissionId: string; userId: string; token: string },
): Promise<TakenBack> {
  const { rows } = await tx.query<{ claim_expires_at: Date }>(RESUME_CLAIM, [found.id, token, CLAIM_MS]);
  if (!rows[0]) throw new Error('a submitted case is not in the hands of its author');
  await setOthersAside(tx, userId, found.id);
  await keepAsDraft(tx, found.id, userId, await takeSubmissionNote(tx, submissionId, userId));
  const actor: Actor = `user:${userId}`;
  await addCaseEvents(tx, [{ caseId: found.id, kind: 'taken_back', actor, data: { submission: submissionId } }]);
  await writeAudit(tx, {
    actor,
    kind: 'review.taken_back',
    subject: `case:${found.id}`,
    data: { submission: submissionId },
  });
  return { caseId: found.id, token, expiresAt: rows[0].claim_expires_at };
}

/** Whoever goes back still reads one case only: the others wait, and what is too many goes back to the queue. */
async function setOthersAside(tx: Tx, userId: string, caseId: string): Promise<void> {
  await tx.query(SET_ASIDE_OTHERS, [userId, caseId]);
  const beyond = await tx.query<{ id: string; claim_token: string }>(BEYOND_PREFETCH, [userId, PREFETCH_COUNT]);
  for (const one of beyond.rows) {
    await tx.query(REOPEN_CASE, [one.id, one.claim_token, null, null, null]);
    await addCaseEvents(tx, [{ caseId: one.id, kind: 'released', actor: `user:${userId}` }]);
  }
}
