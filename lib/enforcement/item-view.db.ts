import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS, RANKS } from '../content/status.ts';
import type { Queryable } from '../db/pool.db.ts';
import { BECAUSE_RULES, VERDICTS } from '../policy/verdict.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { type ActiveAction, activeActions } from './actions.db.ts';
import {
  SELECT_ATTEMPTS,
  SELECT_DECISION,
  SELECT_FAILURE,
  SELECT_ITEM,
  SELECT_NEWER_REVISION,
  SELECT_OTHER_DECISIONS,
  SELECT_REVIEWS,
  SELECT_REVISION,
} from './item-view.sql.ts';

/** What a person has to see of a content item to decide on it, whether as a case or as an approval. */

/** Earlier decisions and reviews shown at most. */
const EARLIER_MAX = 20;

const item = z
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
export type ItemState = Readonly<z.infer<typeof item>>;

const revision = z
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
export type StoredRevision = Readonly<z.infer<typeof revision>>;

const because = z.array(
  z.object({ label: z.string(), score: z.number().nullable(), threshold: z.number(), rule: z.enum(BECAUSE_RULES) }),
);
const decision = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    work_item_id: z.number(),
    prompt_sha256: z.string(),
    contract_version: z.string(),
    classifier: z.string(),
    model: z.string(),
    classification: z.object({ scores: z.record(z.string(), z.number().nullable()) }),
    verdict: z.enum(VERDICTS),
    because,
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
    scores: row.classification.scores,
    verdict: row.verdict,
    because: row.because,
    segmentCount: row.segments,
    committedAt: row.committed_at,
  }));
export type DecisionView = Readonly<z.infer<typeof decision>>;

const attempt = z
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
export type AttemptView = Readonly<z.infer<typeof attempt>>;

const otherDecision = z
  .object({
    decision_id: z.string(),
    revision: z.string(),
    policy_version: z.string(),
    verdict: z.enum(VERDICTS),
    because,
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
export type OtherDecision = Readonly<z.infer<typeof otherDecision>>;

const review = z
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
export type ReviewView = Readonly<z.infer<typeof review>>;

export type ItemView = {
  readonly item: ItemState;
  readonly revision: StoredRevision;
  /** The latest revision that arrived after this one; null where this is the latest. */
  readonly newerRevision: { readonly revision: string; readonly arrivedAt: Date } | null;
  /** The machine's decision on exactly this revision under this policy version; null where there is none. */
  readonly decision: DecisionView | null;
  /** How classification ended without a decision; null where it did not. */
  readonly exception: { readonly code: string; readonly failedAt: Date } | null;
  readonly attempts: readonly AttemptView[];
  readonly policy: PolicyVersion | null;
  /** Decisions on this item under other versions or on other revisions, newest first. */
  readonly otherDecisions: readonly OtherDecision[];
  /** What people concluded on this item, newest first. */
  readonly reviews: readonly ReviewView[];
  readonly activeAction: ActiveAction | null;
};

/** @returns the content item as it is now; null where there is none. */
export async function itemState(db: Queryable, contentId: string): Promise<ItemState | null> {
  const { rows } = await db.query(SELECT_ITEM, [contentId]);
  return rows[0] ? item.parse(rows[0]) : null;
}

/**
 * Reads what is known of a content item at one revision under one policy version.
 * @returns null where there is no such item or revision.
 */
export async function itemView(
  db: Queryable,
  key: { contentId: string; revision: string; decisionId: string; policyVersion: string },
): Promise<ItemView | null> {
  const { contentId } = key;
  const [items, revisions, newer, decisions, others, reviews, policy, active] = await Promise.all([
    db.query(SELECT_ITEM, [contentId]),
    db.query(SELECT_REVISION, [contentId, key.revision]),
    db.query<{ revision: string; arrived_at: Date }>(SELECT_NEWER_REVISION, [contentId, key.revision]),
    db.query(SELECT_DECISION, [key.decisionId]),
    db.query(SELECT_OTHER_DECISIONS, [contentId, key.decisionId, EARLIER_MAX]),
    db.query(SELECT_REVIEWS, [contentId, EARLIER_MAX]),
    findPolicy(db, key.policyVersion),
    activeActions(db, [contentId]),
  ]);
  if (!items.rows[0] || !revisions.rows[0]) return null;
  const decided = decisions.rows[0] ? decision.parse(decisions.rows[0]) : null;
  return {
    item: item.parse(items.rows[0]),
    revision: revision.parse(revisions.rows[0]),
    newerRevision: newer.rows[0] ? { revision: newer.rows[0].revision, arrivedAt: newer.rows[0].arrived_at } : null,
    decision: decided,
    ...(await lineage(db, key.decisionId, decided)),
    policy,
    otherDecisions: others.rows.map((row) => otherDecision.parse(row)),
    reviews: reviews.rows.map((row) => review.parse(row)),
    activeAction: active.get(contentId) ?? null,
  };
}

async function lineage(
  db: Queryable,
  decisionId: string,
  decided: DecisionView | null,
): Promise<Pick<ItemView, 'exception' | 'attempts'>> {
  const failure = decided
    ? undefined
    : (await db.query<{ id: number; failure_code: string; failed_at: Date }>(SELECT_FAILURE, [decisionId])).rows[0];
  const workItem = decided?.workItemId ?? failure?.id;
  const attempts = workItem === undefined ? [] : (await db.query(SELECT_ATTEMPTS, [workItem])).rows;
  return {
    exception: failure ? { code: failure.failure_code, failedAt: failure.failed_at } : null,
    attempts: attempts.map((row) => attempt.parse(row)),
  };
}
