import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS } from '../content/status.ts';
import type { Queryable } from '../db/pool.db.ts';
import { pageOf, pageSize, readPlace } from '../kernel/page.ts';
import { isUuid } from '../kernel/uuid.ts';
import { EXCERPT_LENGTH } from './limits.ts';
import { SELECT_MINE } from './mine.sql.ts';

const row = z
  .object({
    id: z.string(),
    case_id: z.string(),
    verdict: z.enum(['allow', 'restrict']),
    labels: z.array(z.string()),
    reason_code: z.string().nullable(),
    state: z.enum(['waiting', 'effective', 'taken_back', 'refused']),
    refusal: z.string().nullable(),
    submitted_at: z.date(),
    effective_at: z.date(),
    ended_at: z.date().nullable(),
    content_id: z.string(),
    revision: z.string(),
    source: z.string(),
    content_type: z.enum(['post', 'comment', 'document']),
    policy_version: z.string(),
    mode: z.enum(['record', 'hold', 'enforce']),
    kind: z.enum(['decision', 'exception']),
    review_id: z.string().nullable(),
    status_version: z.number().nullable(),
    status: z.enum(CONTENT_STATUSES),
    status_action: z.enum(ENFORCEMENTS).nullable(),
    current_revision: z.string(),
    title: z.string().nullable(),
    excerpt: z.string().nullable(),
    excerpt_cut: z.boolean().nullable(),
    note: z.string().nullable(),
  })
  .transform((found) => ({
    submissionId: found.id,
    caseId: found.case_id,
    verdict: found.verdict,
    labels: found.labels,
    reasonCode: found.reason_code,
    state: found.state,
    /** Why it was refused; null unless `state` is `refused`. The note is then the draft on the case. */
    refusal: found.refusal,
    submittedAt: found.submitted_at,
    effectiveAt: found.effective_at,
    endedAt: found.ended_at,
    contentId: found.content_id,
    revision: found.revision,
    source: found.source,
    contentType: found.content_type,
    policyVersion: found.policy_version,
    mode: found.mode,
    kind: found.kind,
    reviewId: found.review_id,
    statusVersion: found.status_version,
    /** The content item as it is now. */
    status: found.status,
    statusAction: found.status_action,
    currentRevision: found.current_revision,
    title: found.title,
    excerpt: found.excerpt,
    excerptIsCut: found.excerpt_cut ?? false,
    note: found.note,
  }));

/** One thing a person sent, and what became of it. */
export type MyReview = Readonly<z.infer<typeof row>>;

/** Rows of a page at most. */
export const MINE_PAGE_MAX = 200;

/**
 * What this person sent, newest first: on its way, effective, taken back or refused.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 */
export async function myReviews(
  db: Queryable,
  userId: string,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly MyReview[]; next: string | null }> {
  const size = pageSize(limit, MINE_PAGE_MAX);
  const place = readPlace(after, isUuid);
  const values = [userId, size + 1, place?.at ?? null, place?.key ?? null, EXCERPT_LENGTH];
  const { rows } = await db.query(SELECT_MINE, values);
  const found = rows.map((one) => row.parse(one));
  return pageOf(found, size, (last) => ({ at: last.submittedAt, key: last.submissionId }));
}
