import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS, RANKS } from '../content/status.ts';
import { ACTION_STATES } from '../enforcement/action-state.ts';
import { reviewRow } from '../enforcement/item-rows.ts';
import { becauseSchema } from '../policy/because.ts';
import { VERDICTS } from '../policy/verdict.ts';

/** The parts of a content item's history as the database gives them, and the entries they become. */

export const arrivalEntry = z
  .object({
    revision: z.string(),
    text_sha256: z.string(),
    code_points: z.number(),
    created_at: z.date().nullable(),
    at: z.date(),
  })
  .transform((row) => ({
    kind: 'arrival' as const,
    at: row.at,
    revision: row.revision,
    textSha256: row.text_sha256,
    codePointCount: row.code_points,
    createdAt: row.created_at,
  }));

export const decisionEntry = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    classifier: z.string(),
    model: z.string(),
    verdict: z.enum(VERDICTS),
    because: becauseSchema,
    at: z.date(),
  })
  .transform((row) => ({
    kind: 'decision' as const,
    at: row.at,
    decisionId: row.decision_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    classifier: row.classifier,
    model: row.model,
    verdict: row.verdict,
    because: row.because,
  }));

export const exceptionEntry = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    failure_code: z.string(),
    at: z.date(),
  })
  .transform((row) => ({
    kind: 'exception' as const,
    at: row.at,
    decisionId: row.decision_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    code: row.failure_code,
  }));

export const caseEntry = z
  .object({
    case_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    mode: z.enum(['record', 'hold', 'enforce']),
    kind: z.string(),
    actor: z.string(),
    actor_name: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
    at: z.date(),
  })
  .transform((row) => ({
    kind: 'case' as const,
    at: row.at,
    caseId: row.case_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    mode: row.mode,
    /** `opened`, `skipped`, `escalated`, `submitted`, `taken_back`, `refused`, `closed` and so on. */
    event: row.kind,
    actor: row.actor,
    actorName: row.actor_name,
    data: row.data,
  }));

const state = (status: string, rank: string, action: string | null) => ({
  status: z.enum(CONTENT_STATUSES).parse(status),
  rank: z.enum(RANKS).parse(rank),
  action: z.enum(ENFORCEMENTS).nullable().parse(action),
});

export const recordEntry = z
  .object({
    version: z.number(),
    revision: z.string(),
    prior_status: z.string(),
    prior_rank: z.string(),
    prior_action: z.string().nullable(),
    next_status: z.string(),
    next_rank: z.string(),
    next_action: z.string().nullable(),
    actor: z.string(),
    actor_name: z.string().nullable(),
    reason: z.string(),
    answers: z.string().nullable(),
    decision_id: z.string(),
    proposal_id: z.string().nullable(),
    note: z.string().nullable(),
    at: z.date(),
  })
  .transform((row) => ({
    kind: 'record' as const,
    at: row.at,
    version: row.version,
    revision: row.revision,
    prior: state(row.prior_status, row.prior_rank, row.prior_action),
    next: state(row.next_status, row.next_rank, row.next_action),
    actor: row.actor,
    actorName: row.actor_name,
    reason: row.reason,
    /** `review:ID`, `action:ID`, `record:VERSION` or null. */
    answers: row.answers,
    decisionId: row.decision_id,
    /** The action that was proposed, or brought back, together with this record. */
    proposalId: row.proposal_id,
    note: row.note,
  }));

export const reviewEntry = reviewRow.transform((row) => ({ kind: 'review' as const, ...row }));

export const actionRow = z.object({
  id: z.string(),
  revision: z.string(),
  policy_version: z.string(),
  status_version: z.number(),
  action: z.enum(ENFORCEMENTS),
  state: z.enum(ACTION_STATES),
  label: z.string().nullable(),
  reason_code: z.string().nullable(),
  proposed_by: z.string(),
  proposer_name: z.string().nullable(),
  proposed_at: z.date(),
  decided_by: z.string().nullable(),
  decider_name: z.string().nullable(),
  decided_at: z.date().nullable(),
  applied_at: z.date().nullable(),
  applied_version: z.number().nullable(),
  closed_at: z.date().nullable(),
  closed_as: z.string().nullable(),
  note: z.string().nullable(),
});
export type ActionRow = z.infer<typeof actionRow>;
