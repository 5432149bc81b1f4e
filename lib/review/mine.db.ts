import { z } from 'zod';
import { CONTENT_STATUSES, ENFORCEMENTS } from '../content/status.ts';
import type { Queryable } from '../db/pool.db.ts';
import { isUuid } from '../enforcement/ids.ts';
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
const PLACE = /^(\d{1,15})\.([0-9a-f-]{36})$/;

/**
 * What this person sent, newest first: on its way, effective, taken back or refused.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 */
export async function myReviews(
  db: Queryable,
  userId: string,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly MyReview[]; next: string | null }> {
  return page(db, userId, { after, limit, state: null });
}

/** What of this person's was refused, newest first: they are told here, and their note waits on the case as a draft. */
export async function listRefusals(
  db: Queryable,
  userId: string,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly MyReview[]; next: string | null }> {
  return page(db, userId, { after, limit, state: 'refused' });
}

async function page(
  db: Queryable,
  userId: string,
  { after, limit, state }: { after: string | null; limit: number; state: MyReview['state'] | null },
): Promise<{ items: readonly MyReview[]; next: string | null }> {
  const size = Math.min(Math.max(1, limit), MINE_PAGE_MAX);
  const place = PLACE.exec(after ?? '');
  const id = place?.[2] && isUuid(place[2]) ? place[2] : null;
  const at = id === null ? null : new Date(Number(place?.[1]));
  const { rows } = await db.query(SELECT_MINE, [userId, size + 1, at, id, EXCERPT_LENGTH, state]);
  const found = rows.map((one) => row.parse(one));
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, next: found.length > size && last ? `${last.submittedAt.getTime()}.${last.submissionId}` : null };
}
