import { randomUUID } from 'node:crypto';
import { lockUser, type User } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { changeStatuses, type LockedContent, lockContent } from '../content/status.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { proposeActions, withdrawActions } from '../enforcement/actions.db.ts';
import { markReversed } from '../enforcement/decide.db.ts';
import { ok, type Result } from '../kernel/result.ts';
import { findPolicy } from '../policy/versions.db.ts';
import { type CaseRow, findCase, lockCase } from './case-row.db.ts';
import { addCaseEvents } from './cases.db.ts';
import { REOPEN_CASE } from './claim.sql.ts';
import type { JudgeRefusal } from './judge.ts';
import { addNote, keepAsDraft, takeSubmissionNote } from './notes.db.ts';
import { namedAction, rulebook } from './rulebook.ts';
import { findSubmission, type Submission } from './submission.db.ts';
import { CLOSE_REVIEWED, DUE_SUBMISSIONS, END_SUBMISSION, INSERT_REVIEW, TRY_SETTLE } from './submission.sql.ts';
import { type Weighed, weigh } from './weigh.db.ts';

/**
 * What became of a submission. `refused`: the case is open again, the note is its author's draft, and their list of
 * reviews tells them why. `nothing`: it is not due, has ended before, or another process is at it.
 */
export type Settled =
  | { readonly outcome: 'effective'; readonly reviewId: string; readonly statusVersion: number }
  | { readonly outcome: 'refused'; readonly refusal: JudgeRefusal }
  | { readonly outcome: 'nothing' };

/**
 * Act, the review itself: one transaction writes the review, its status and rollback record with one event, what becomes
 * of the enforcement action, the closed case and the audit event. Role, revision, rank and claim are checked again.
 * @returns what became of it; a refusal of the review is an outcome here, as it is written down.
 */
export async function settleSubmission(pool: Pool, submissionId: string): Promise<Settled> {
  const settled = await transact<Settled, never>(pool, (tx) => settle(tx, submissionId));
  if (!settled.ok) throw new Error('unreachable');
  return settled.value;
}

/**
 * Settles the submissions that are due by the database's clock, oldest first, each in its own transaction.
 * @param limit submissions at most.
 * @returns how many became effective and how many were refused.
 * @throws after all were tried, where some met a bug: one of them must not keep the others waiting.
 */
export async function settleDue(
  pool: Pool,
  { limit }: { readonly limit: number },
): Promise<{ effectiveCount: number; refusedCount: number }> {
  const { rows } = await pool.query<{ id: string }>(DUE_SUBMISSIONS, [limit]);
  const counts = { effectiveCount: 0, refusedCount: 0 };
  const faults: unknown[] = [];
  for (const { id } of rows) {
    try {
      const settled = await settleSubmission(pool, id);
      if (settled.outcome === 'effective') counts.effectiveCount++;
      if (settled.outcome === 'refused') counts.refusedCount++;
    } catch (thrown) {
      faults.push(thrown);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some submissions could not be settled');
  return counts;
}

async function settle(tx: Tx, submissionId: string): Promise<Result<Settled, never>> {
  const nothing = ok<Settled>({ outcome: 'nothing' });
  const { rows } = await tx.query<{ mine: boolean }>(TRY_SETTLE, [submissionId]);
  const known = rows[0]?.mine ? await findSubmission(tx, submissionId) : null;
  if (!known?.due || known.state !== 'waiting') return nothing;
  const user = await lockUser(tx, known.userId);
  const caseKnown = await findCase(tx, known.caseId);
  const content = caseKnown && (await lockContent(tx, [caseKnown.contentId])).get(caseKnown.contentId);
  const found = content && (await lockCase(tx, known.caseId));
  if (!content || !found) throw new Error('a submission has lost its case');
  // Under the case's lock: taking back goes through it as well, so from here on the answer stays what it is.
  const submission = await findSubmission(tx, submissionId);
  if (submission?.state !== 'waiting') return nothing;
  if (found.state !== 'submitted' || found.claimToken !== submission.token) {
    throw new Error('a waiting submission is not the one of its case');
  }
  if (!user) return ok(await refuse(tx, found, submission, 'role_changed'));
  const weighed = await weigh(tx, { found, content, role: user.role, verdict: submission.verdict });
  if (!weighed.ok) return ok(await refuse(tx, found, submission, weighed.refusal));
  return ok(await review(tx, { found, content, submission, user, weighed: weighed.value }));
}

/** The case reopens. One that only a higher rank could decide goes to the moderators: others would only be refused again. */
async function refuse(tx: Tx, found: CaseRow, submission: Submission, refusal: JudgeRefusal): Promise<Settled> {
  await end(tx, submission, 'refused', refusal);
  const tier = refusal === 'outranked' ? 'moderator' : null;
  await tx.query(REOPEN_CASE, [found.id, submission.token, null, tier, null]);
  await keepAsDraft(tx, found.id, submission.userId, await takeSubmissionNote(tx, submission.id, submission.userId));
  const data = { submission: submission.id, refusal };
  await addCaseEvents(tx, [{ caseId: found.id, kind: 'refused', actor: 'system', data }]);
  await writeAudit(tx, { actor: 'system', kind: 'review.refused', subject: `case:${found.id}`, data });
  return { outcome: 'refused', refusal };
}

type Ready = {
  readonly found: CaseRow;
  readonly content: LockedContent;
  readonly submission: Submission;
  readonly user: User;
  readonly weighed: Weighed;
};

async function review(tx: Tx, ready: Ready): Promise<Settled> {
  const { found, content, submission, user, weighed } = ready;
  const reviewId = randomUUID();
  const actor: Actor = `user:${user.id}`;
  const versions = await changeStatuses(tx, [
    {
      content,
      next: weighed.judgement.next,
      actor,
      reason: submission.reasonCode ?? submission.verdict,
      answers: `review:${reviewId}`,
      decisionId: found.decisionId,
      event: weighed.judgement.event,
    },
  ]);
  const statusVersion = versions.get(content.contentId);
  if (statusVersion === undefined) throw new Error('a review wrote no record');
  await insertReview(tx, ready, reviewId, statusVersion);
  const actionId = await settleAction(tx, ready, statusVersion);
  await close(tx, ready, reviewId);
  await writeAudit(tx, {
    actor,
    kind: 'review.effective',
    subject: `case:${found.id}`,
    data: {
      review: reviewId,
      submission: submission.id,
      verdict: submission.verdict,
      labels: submission.labels,
      reason: submission.reasonCode,
      role: user.role,
      status_version: statusVersion,
      action: actionId,
      action_effect: weighed.judgement.action,
    },
  });
  return { outcome: 'effective', reviewId, statusVersion };
}

async function insertReview(tx: Tx, ready: Ready, reviewId: string, statusVersion: number): Promise<void> {
  const { found, submission, user } = ready;
  await tx.query(INSERT_REVIEW, [
    reviewId,
    found.id,
    submission.id,
    found.contentId,
    found.revision,
    found.decisionId,
    found.policyVersion,
    user.id,
    user.role,
    submission.verdict,
    submission.labels,
    submission.reasonCode,
    statusVersion,
  ]);
}

/**
 * What becomes of the action on the item. A proposal carries the version of the record that this review has written: that
 * is how the record names it.
 * @returns the id of the action that was proposed, kept, withdrawn or reversed; null for none.
 */
async function settleAction(tx: Tx, ready: Ready, statusVersion: number): Promise<string | null> {
  const { judgement, standing } = ready.weighed;
  switch (judgement.action) {
    case 'none':
      return null;
    case 'keep':
      return standing?.id ?? null;
    case 'propose':
      return propose(tx, ready, statusVersion);
    case 'replace':
      await withdraw(tx, standing?.id);
      return propose(tx, ready, statusVersion);
    case 'withdraw':
      return withdraw(tx, standing?.id);
    case 'reverse':
      if (!standing) throw new Error('a restricted item has no applied action');
      await markReversed(tx, standing.id, 'reviewed');
      return standing.id;
  }
}

async function withdraw(tx: Tx, actionId: string | undefined): Promise<string> {
  const [withdrawn] = actionId ? await withdrawActions(tx, { actionIds: [actionId], closedAs: 'newer_record' }) : [];
  if (!withdrawn) throw new Error('an action moved under the lock of its item');
  return withdrawn;
}

async function propose(tx: Tx, ready: Ready, statusVersion: number): Promise<string | null> {
  const { found, content, submission, user } = ready;
  const policy = await findPolicy(tx, found.policyVersion);
  const { action, label } = namedAction(rulebook(policy?.document ?? null), submission.labels, found.label);
  const [id] = await proposeActions(tx, [
    {
      content,
      statusVersion,
      decisionId: found.decisionId,
      policyVersion: found.policyVersion,
      action,
      label,
      reasonCode: submission.reasonCode,
      proposedBy: `user:${user.id}`,
    },
  ]);
  return id ?? null;
}

async function close(tx: Tx, ready: Ready, reviewId: string): Promise<void> {
  const { found, submission, user } = ready;
  await end(tx, submission, 'effective', null);
  const { rowCount } = await tx.query(CLOSE_REVIEWED, [found.id, submission.token]);
  if (rowCount !== 1) throw new Error('a case moved under its lock');
  const text = await takeSubmissionNote(tx, submission.id, user.id);
  await addNote(tx, { kind: 'case', subject: `case:${found.id}`, userId: user.id, text });
  await addCaseEvents(tx, [
    {
      caseId: found.id,
      kind: 'closed',
      actor: `user:${user.id}`,
      data: { as: 'reviewed', review: reviewId, verdict: submission.verdict },
    },
  ]);
}

async function end(
  tx: Tx,
  submission: Submission,
  state: 'effective' | 'refused',
  refusal: JudgeRefusal | null,
): Promise<void> {
  const { rowCount } = await tx.query(END_SUBMISSION, [submission.id, state, refusal]);
  if (rowCount !== 1) throw new Error('a submission moved under the lock of its case');
}
