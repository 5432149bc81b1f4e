import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS, RANKS } from '../content/status.ts';
import { becauseSchema } from '../policy/because.ts';
import { classificationSchema } from '../policy/classification.ts';
import { VERDICTS } from '../policy/verdict.ts';

/** What is known of a content item, as the database gives it and as pages take it. */

export const itemRow = z
  .object({
    content_id: z.string(),
    content_type: z.enum(['post', 'comment', 'document']),
    source: z.string(),
    source_kind: z.enum(['backfill', 'live', 'documents']),
    enforcement_open: z.boolean(),
    current_revision: z.string(),
    status: z.enum(CONTENT_STATUSES),
    status_rank: z.enum(RANKS),
    status_action: z.enum(ENFORCEMENTS).nullable(),
    status_version: z.number(),
    first_seen_at: z.date(),
  })
  .transform((row) => ({
    contentId: row.content_id,
    contentType: row.content_type,
    source: row.source,
    sourceKind: row.source_kind,
    enforcementOpen: row.enforcement_open,
    currentRevision: row.current_revision,
    status: row.status,
    rank: row.status_rank,
    action: row.status_action,
    version: row.status_version,
    firstSeenAt: row.first_seen_at,
  }));
export type ItemState = Readonly<z.infer<typeof itemRow>>;

export const revisionRow = z
  .object({
    revision: z.string(),
    text_sha256: z.string(),
    input_sha256: z.string(),
    text_bytes: z.number(),
    code_points: z.number(),
    language: z.string().nullable(),
    created_at: z.date().nullable(),
    arrived_at: z.date(),
    text: z.string().nullable(),
    title: z.string().nullable(),
    author_name: z.string().nullable(),
    author_id: z.string().nullable(),
    parent_text: z.string().nullable(),
    parent_id: z.string().nullable(),
    thread_id: z.string().nullable(),
    url: z.string().nullable(),
  })
  .transform((row) => ({
    revision: row.revision,
    textSha256: row.text_sha256,
    inputSha256: row.input_sha256,
    textBytes: row.text_bytes,
    codePointCount: row.code_points,
    language: row.language,
    createdAt: row.created_at,
    arrivedAt: row.arrived_at,
    /** Exactly as stored, "" for an empty text; null once it has been erased. */
    text: row.text,
    title: row.title,
    authorName: row.author_name,
    authorId: row.author_id,
    parentText: row.parent_text,
    parentId: row.parent_id,
    threadId: row.thread_id,
    url: row.url,
  }));
/** A revision exactly as it is stored. */
export type StoredRevision = Readonly<z.infer<typeof revisionRow>>;

export const decisionRow = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    work_item_id: z.number(),
    prompt_sha256: z.string(),
    contract_version: z.string(),
    classifier: z.string(),
    model: z.string(),
    classification: classificationSchema,
    verdict: z.enum(VERDICTS),
    because: becauseSchema,
    segments: z.number(),
    committed_at: z.date(),
  })
  .transform((row) => ({
    decisionId: row.decision_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    workItemId: row.work_item_id,
    promptSha256: row.prompt_sha256,
    contractVersion: row.contract_version,
    classifier: row.classifier,
    model: row.model,
    classification: row.classification,
    verdict: row.verdict,
    because: row.because,
    segmentCount: row.segments,
    committedAt: row.committed_at,
  }));
export type DecisionView = Readonly<z.infer<typeof decisionRow>>;

export const attemptRow = z
  .object({
    number: z.number(),
    started_at: z.date(),
    outcome: z.string().nullable(),
    spends: z.boolean().nullable(),
    latency_ms: z.number().nullable(),
    ended_at: z.date().nullable(),
  })
  .transform((row) => ({
    number: row.number,
    startedAt: row.started_at,
    /** `ok` or a failure code; null while it runs or where its outcome was never learnt. */
    outcome: row.outcome,
    spends: row.spends,
    latencyMs: row.latency_ms,
    endedAt: row.ended_at,
  }));
export type AttemptView = Readonly<z.infer<typeof attemptRow>>;

export const otherDecisionRow = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    verdict: z.enum(VERDICTS),
    because: becauseSchema,
    committed_at: z.date(),
  })
  .transform((row) => ({
    decisionId: row.decision_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    verdict: row.verdict,
    because: row.because,
    committedAt: row.committed_at,
  }));
export type OtherDecision = Readonly<z.infer<typeof otherDecisionRow>>;

export const reviewRow = z
  .object({
    id: z.string(),
    case_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    user_id: z.string(),
    user_name: z.string(),
    role: z.string(),
    verdict: z.enum(['allow', 'restrict']),
    labels: z.array(z.string()),
    reason_code: z.string().nullable(),
    status_version: z.number(),
    at: z.date(),
    note: z.string().nullable(),
  })
  .transform((row) => ({
    reviewId: row.id,
    caseId: row.case_id,
    revision: row.revision,
    policyVersion: row.policy_version,
    userId: row.user_id,
    userName: row.user_name,
    role: row.role,
    verdict: row.verdict,
    labels: row.labels,
    reasonCode: row.reason_code,
    statusVersion: row.status_version,
    at: row.at,
    note: row.note,
  }));
export type ReviewView = Readonly<z.infer<typeof reviewRow>>;
