import type { Queryable } from '../db/pool.db.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { type ActiveAction, activeActions } from './actions.db.ts';
import {
  type AttemptView,
  attemptRow,
  type DecisionView,
  decisionRow,
  type ItemState,
  itemRow,
  type OtherDecision,
  otherDecisionRow,
  type ReviewView,
  reviewRow,
  revisionRow,
  type StoredRevision,
} from './item-rows.ts';
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
  return rows[0] ? itemRow.parse(rows[0]) : null;
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
  const decided = decisions.rows[0] ? decisionRow.parse(decisions.rows[0]) : null;
  return {
    item: itemRow.parse(items.rows[0]),
    revision: revisionRow.parse(revisions.rows[0]),
    newerRevision: newer.rows[0] ? { revision: newer.rows[0].revision, arrivedAt: newer.rows[0].arrived_at } : null,
    decision: decided,
    ...(await lineage(db, key.decisionId, decided)),
    policy,
    otherDecisions: others.rows.map((row) => otherDecisionRow.parse(row)),
    reviews: reviews.rows.map((row) => reviewRow.parse(row)),
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
    attempts: attempts.map((row) => attemptRow.parse(row)),
  };
}
