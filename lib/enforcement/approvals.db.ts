import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS, RANKS } from '../content/status.ts';
import type { Queryable } from '../db/pool.db.ts';
import { pageOf, pageSize, readPlace } from '../kernel/page.ts';
import { isUuid } from '../kernel/uuid.ts';
import { ACTION_STATES } from './action-state.ts';
import { COUNT_APPROVALS, LIST_APPROVALS, SELECT_APPROVAL } from './approvals.sql.ts';

const row = z
  .object({
    id: z.string(),
    content_id: z.string(),
    revision: z.string(),
    decision_id: z.string(),
    policy_version: z.string(),
    status_version: z.number(),
    action: z.enum(ENFORCEMENTS),
    state: z.enum(ACTION_STATES),
    label: z.string().nullable(),
    reason_code: z.string().nullable(),
    proposed_by: z.string(),
    proposed_at: z.date(),
    decided_by: z.string().nullable(),
    decided_at: z.date().nullable(),
    applied_at: z.date().nullable(),
    applied_version: z.number().nullable(),
    closed_at: z.date().nullable(),
    closed_as: z.string().nullable(),
    source: z.string(),
    content_type: z.enum(['post', 'comment', 'document']),
    status: z.enum(CONTENT_STATUSES),
    status_rank: z.enum(RANKS),
    status_action: z.enum(ENFORCEMENTS).nullable(),
    content_version: z.number(),
    current_revision: z.string(),
    enforcement_open: z.boolean(),
    age_ms: z.coerce.number(),
    proposer_name: z.string().nullable(),
    decider_name: z.string().nullable(),
    title: z.string().nullable(),
    text: z.string().nullable(),
    text_cut: z.boolean().nullable(),
  })
  .transform((found) => ({
    actionId: found.id,
    contentId: found.content_id,
    source: found.source,
    contentType: found.content_type,
    /** The revision the action is about. */
    revision: found.revision,
    currentRevision: found.current_revision,
    decisionId: found.decision_id,
    policyVersion: found.policy_version,
    /** The version of the record that was written with the proposal, or the item's version where it wrote none. */
    statusVersion: found.status_version,
    action: found.action,
    state: found.state,
    label: found.label,
    reasonCode: found.reason_code,
    /** `user:ID` or `policy:slug@n`; the name is null for a policy. */
    proposedBy: found.proposed_by,
    proposerName: found.proposer_name,
    proposedAt: found.proposed_at,
    ageMs: Math.max(0, Math.round(found.age_ms)),
    decidedBy: found.decided_by,
    deciderName: found.decider_name,
    decidedAt: found.decided_at,
    appliedAt: found.applied_at,
    appliedVersion: found.applied_version,
    closedAt: found.closed_at,
    closedAs: found.closed_as,
    /** The content item as it is now. */
    status: found.status,
    rank: found.status_rank,
    statusAction: found.status_action,
    contentVersion: found.content_version,
    /** True where approving applies at once. */
    enforcementOpen: found.enforcement_open,
    title: found.title,
    /** In a list the beginning of it; null once it has been erased. */
    text: found.text,
    textIsCut: found.text_cut ?? false,
  }));

/** A proposed action with the content item it is about. */
export type ApprovalItem = Readonly<z.infer<typeof row>>;

const countRow = z
  .object({ count: z.number(), oldest_at: z.date().nullable(), oldest_age_ms: z.coerce.number().nullable() })
  .transform((found) => ({
    count: found.count,
    oldestAt: found.oldest_at,
    oldestAgeMs: found.oldest_age_ms === null ? null : Math.max(0, Math.round(found.oldest_age_ms)),
  }));

/** @returns how many proposals wait and since when, by the predicate the list uses. */
export async function countApprovals(
  db: Queryable,
): Promise<{ count: number; oldestAt: Date | null; oldestAgeMs: number | null }> {
  const { rows } = await db.query(COUNT_APPROVALS);
  return countRow.parse(rows[0]);
}

/** Rows of a page, and characters (code points) of a text in a list, at most. */
export const APPROVALS_PAGE_MAX = 200;
const EXCERPT_LENGTH = 160;

/**
 * One page of what waits for an approval, oldest first.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 */
export async function listApprovals(
  db: Queryable,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly ApprovalItem[]; next: string | null }> {
  const size = pageSize(limit, APPROVALS_PAGE_MAX);
  const place = readPlace(after, isUuid);
  const { rows } = await db.query(LIST_APPROVALS, [place?.at ?? null, place?.key ?? null, size + 1, EXCERPT_LENGTH]);
  const found = rows.map((one) => row.parse(one));
  return pageOf(found, size, (last) => ({ at: last.proposedAt, key: last.actionId }));
}

/** @returns one action in whatever state, with its whole text; null where there is none. */
export async function findApproval(db: Queryable, actionId: string): Promise<ApprovalItem | null> {
  if (!isUuid(actionId)) return null;
  const { rows } = await db.query(SELECT_APPROVAL, [actionId]);
  return rows[0] ? row.parse(rows[0]) : null;
}
