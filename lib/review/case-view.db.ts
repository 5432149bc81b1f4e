import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { type ItemView, itemView } from '../enforcement/item-view.db.ts';
import { isUuid } from '../kernel/uuid.ts';
import { CASE_ENDINGS, CASE_STATES } from './case-state.ts';
import { SELECT_CASE_EVENTS, SELECT_CASE_VIEW, SELECT_WAITING_SUBMISSION } from './case-view.sql.ts';

const row = z
  .object({
    id: z.string(),
    purpose: z.enum(['triage', 'sample', 'adjudication', 'recheck']),
    tier: z.enum(['reviewer', 'moderator']),
    state: z.enum(CASE_STATES),
    kind: z.enum(['decision', 'exception']),
    mode: z.enum(['record', 'hold', 'enforce']),
    content_id: z.string(),
    revision: z.string(),
    decision_id: z.string(),
    policy_version: z.string(),
    run_id: z.string().nullable(),
    run_name: z.string().nullable(),
    reason_code: z.string(),
    label: z.string().nullable(),
    score: z.number().nullable(),
    opened_by: z.string(),
    opened_at: z.date(),
    not_before: z.date().nullable(),
    escalation_reason: z.string().nullable(),
    closed_at: z.date().nullable(),
    closed_as: z.enum(CASE_ENDINGS).nullable(),
    claimed_by: z.string().nullable(),
    claimed_at: z.date().nullable(),
    claim_expires_at: z.date().nullable(),
    claim_expired: z.boolean(),
    claimer_name: z.string().nullable(),
    prefetched: z.boolean(),
  })
  .transform((found) => ({
    caseId: found.id,
    purpose: found.purpose,
    tier: found.tier,
    /** A claim that has expired counts as open, whether a sweep has come by or not. */
    state: found.claim_expired ? ('open' as const) : found.state,
    kind: found.kind,
    mode: found.mode,
    contentId: found.content_id,
    revision: found.revision,
    decisionId: found.decision_id,
    policyVersion: found.policy_version,
    runId: found.run_id,
    runName: found.run_name,
    /** `review` or `restrict` (the machine's verdict), a failure code, `allow_on_held`, `back_to_review`, `reversal`. */
    reasonCode: found.reason_code,
    label: found.label,
    score: found.score,
    openedBy: found.opened_by,
    openedAt: found.opened_at,
    notBefore: found.not_before,
    escalationReason: found.escalation_reason,
    closedAt: found.closed_at,
    closedAs: found.closed_as,
    claim:
      found.claimed_by === null || found.claim_expires_at === null || found.claim_expired
        ? null
        : {
            userId: found.claimed_by,
            userName: found.claimer_name ?? '',
            claimedAt: found.claimed_at,
            expiresAt: found.claim_expires_at,
            prefetched: found.prefetched,
          },
  }));

/** A case as its page shows it. The claim's token is not here: only whoever claims gets it. */
export type CaseFacts = Readonly<z.infer<typeof row>>;

const eventRow = z
  .object({
    kind: z.string(),
    actor: z.string(),
    actor_name: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    at: z.date(),
    note: z.string().nullable(),
  })
  .transform((found) => ({
    kind: found.kind,
    actor: found.actor,
    actorName: found.actor_name,
    data: found.data,
    at: found.at,
    /** What the person wrote when they escalated; null for every other event. */
    note: found.note,
  }));
export type CaseEventView = Readonly<z.infer<typeof eventRow>>;

const submissionRow = z
  .object({
    id: z.string(),
    user_id: z.string(),
    user_name: z.string(),
    verdict: z.enum(['allow', 'restrict']),
    labels: z.array(z.string()),
    reason_code: z.string().nullable(),
    effective_at: z.date(),
  })
  .transform((found) => ({
    submissionId: found.id,
    userId: found.user_id,
    userName: found.user_name,
    verdict: found.verdict,
    labels: found.labels,
    reasonCode: found.reason_code,
    effectiveAt: found.effective_at,
  }));
export type WaitingSubmission = Readonly<z.infer<typeof submissionRow>>;

export type CaseView = {
  readonly case: CaseFacts;
  readonly view: ItemView;
  readonly events: readonly CaseEventView[];
  /** The review on its way, until it is effective or taken back. */
  readonly submission: WaitingSubmission | null;
};

/**
 * Reads all that a person needs to decide one case. Their draft is `readDraft`.
 * @returns null where there is no such case.
 */
export async function caseView(db: Queryable, caseId: string): Promise<CaseView | null> {
  if (!isUuid(caseId)) return null;
  const [cases, events, submissions] = await Promise.all([
    db.query(SELECT_CASE_VIEW, [caseId]),
    db.query(SELECT_CASE_EVENTS, [caseId]),
    db.query(SELECT_WAITING_SUBMISSION, [caseId]),
  ]);
  if (!cases.rows[0]) return null;
  const facts = row.parse(cases.rows[0]);
  const view = await itemView(db, facts);
  if (!view) return null;
  return {
    case: facts,
    view,
    events: events.rows.map((event) => eventRow.parse(event)),
    submission: submissions.rows[0] ? submissionRow.parse(submissions.rows[0]) : null,
  };
}
