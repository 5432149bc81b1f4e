import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { countApprovals } from '../enforcement/approvals.db.ts';
import { pageOf, pageSize, readPlace } from '../kernel/page.ts';
import { BECAUSE_RULES, type BecauseRule } from '../policy/verdict.ts';
import { EXCERPT_LENGTH } from './limits.ts';
import { COUNT_WAITING, LIST_WAITING } from './queue.sql.ts';
import { QUEUES, type Queue, tierAndKind } from './queues.ts';

/** How much waits, and since when. Ages are by the database's clock. */
export type QueueCount = {
  readonly count: number;
  readonly oldestAt: Date | null;
  readonly oldestAgeMs: number | null;
};

/** Every queue of people, the approvals among them. */
export type QueueCounts = Readonly<Record<Queue | 'approvals', QueueCount>>;

const countRow = z
  .object({ count: z.number(), oldest_at: z.date().nullable(), oldest_age_ms: z.coerce.number().nullable() })
  .transform((row) => ({
    count: row.count,
    oldestAt: row.oldest_at,
    oldestAgeMs: row.oldest_age_ms === null ? null : Math.max(0, Math.round(row.oldest_age_ms)),
  }));

/** @returns how many cases wait in each queue and how old the oldest is, by the predicate the lists use. */
export async function queueCounts(db: Queryable): Promise<QueueCounts> {
  const [review, failed, moderator, approvals] = await Promise.all([
    ...QUEUES.map((queue) => queueCount(db, queue)),
    countApprovals(db),
  ]);
  if (!review || !failed || !moderator || !approvals) throw new Error('a queue was not counted');
  return { review, failed, moderator, approvals };
}

async function queueCount(db: Queryable, queue: Queue): Promise<QueueCount> {
  const { tier, kind } = tierAndKind(queue);
  const { rows } = await db.query(kind === null ? COUNT_WAITING.either : COUNT_WAITING.one, [tier, kind]);
  return countRow.parse(rows[0]);
}

/** One row of a queue. */
export type QueueItem = {
  readonly caseId: string;
  readonly contentId: string;
  readonly source: string;
  readonly contentType: 'post' | 'comment' | 'document';
  readonly revision: string;
  readonly kind: 'decision' | 'exception';
  readonly mode: 'record' | 'hold' | 'enforce';
  readonly tier: 'reviewer' | 'moderator';
  /** For an exception its failure code. */
  readonly reasonCode: string;
  readonly label: string | null;
  readonly score: number | null;
  /** How the strongest reason led here; null without a decision. */
  readonly rule: BecauseRule | null;
  readonly policyVersion: string;
  readonly openedAt: Date;
  readonly ageMs: number;
  readonly escalationReason: string | null;
  /** Who reads it now; a case held for later is not being read. */
  readonly reader: { readonly id: string; readonly name: string } | null;
  readonly title: string | null;
  /** The beginning of the text; null once it has been erased. */
  readonly excerpt: string | null;
  readonly excerptIsCut: boolean;
};

const itemRow = z
  .object({
    id: z.string(),
    seq: z.number(),
    content_id: z.string(),
    source: z.string(),
    content_type: z.enum(['post', 'comment', 'document']),
    revision: z.string(),
    kind: z.enum(['decision', 'exception']),
    mode: z.enum(['record', 'hold', 'enforce']),
    tier: z.enum(['reviewer', 'moderator']),
    reason_code: z.string(),
    label: z.string().nullable(),
    score: z.number().nullable(),
    rule: z.enum(BECAUSE_RULES).nullable(),
    policy_version: z.string(),
    opened_at: z.date(),
    age_ms: z.coerce.number(),
    escalation_reason: z.string().nullable(),
    reader_id: z.string().nullable(),
    reader_name: z.string().nullable(),
    title: z.string().nullable(),
    excerpt: z.string().nullable(),
    excerpt_cut: z.boolean().nullable(),
  })
  .transform((row) => ({
    seq: row.seq,
    item: {
      caseId: row.id,
      contentId: row.content_id,
      source: row.source,
      contentType: row.content_type,
      revision: row.revision,
      kind: row.kind,
      mode: row.mode,
      tier: row.tier,
      reasonCode: row.reason_code,
      label: row.label,
      score: row.score,
      rule: row.rule,
      policyVersion: row.policy_version,
      openedAt: row.opened_at,
      ageMs: Math.max(0, Math.round(row.age_ms)),
      escalationReason: row.escalation_reason,
      reader: row.reader_id === null ? null : { id: row.reader_id, name: row.reader_name ?? '' },
      title: row.title,
      excerpt: row.excerpt,
      excerptIsCut: row.excerpt_cut ?? false,
    } satisfies QueueItem,
  }));

/** A page of a queue; `next` is the place to go on after, null on the last page. */
export type QueuePage = { readonly items: readonly QueueItem[]; readonly next: string | null };

/** Rows of a page at most. */
export const QUEUE_PAGE_MAX = 200;
const isSeq = (key: string): boolean => /^\d{1,15}$/.test(key);

/**
 * One page of a queue, oldest first.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 * @param limit rows at most, between 1 and QUEUE_PAGE_MAX.
 */
export async function listQueue(
  db: Queryable,
  { queue, after = null, limit = 50 }: { queue: Queue; after?: string | null; limit?: number },
): Promise<QueuePage> {
  const { tier, kind } = tierAndKind(queue);
  const size = pageSize(limit, QUEUE_PAGE_MAX);
  const place = readPlace(after, isSeq);
  const { rows } = await db.query(kind === null ? LIST_WAITING.either : LIST_WAITING.one, [
    tier,
    kind,
    place?.at ?? null,
    place?.key ?? null,
    size + 1,
    EXCERPT_LENGTH,
  ]);
  const found = rows.map((row) => itemRow.parse(row));
  const { items, next } = pageOf(found, size, (last) => ({ at: last.item.openedAt, key: last.seq }));
  return { items: items.map((one) => one.item), next };
}
