import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { pageOf, pageSize, readPlace } from '../kernel/page.ts';
import { LIST_EXPORTS } from './list.sql.ts';

const row = z
  .object({
    id: z.string(),
    state: z.enum(['building', 'published', 'abandoned']),
    run_id: z.string(),
    run: z.string(),
    row_count: z.int().nullable(),
    exception_count: z.int().nullable(),
    manifest_sha256: z.string().nullable(),
    supersedes: z.string().nullable(),
    with_text: z.boolean(),
    purpose: z.string().nullable(),
    created_by: z.string(),
    creator_name: z.string().nullable(),
    created_at: z.date(),
    published_at: z.date().nullable(),
  })
  .transform((one) => ({
    exportId: one.id,
    state: one.state,
    runId: one.run_id,
    run: one.run,
    /** Decision rows; null until the bundle was finished. */
    rows: one.row_count,
    exceptions: one.exception_count,
    manifestSha256: one.manifest_sha256,
    supersedes: one.supersedes,
    withText: one.with_text,
    /** Why it carries text. */
    purpose: one.purpose,
    createdBy: one.created_by,
    creatorName: one.creator_name,
    createdAt: one.created_at,
    publishedAt: one.published_at,
  }));

/** An export as the list shows it; where it lies on whose disk is not told. */
export type ExportItem = Readonly<z.infer<typeof row>>;

/** Rows of a page at most. */
export const EXPORTS_PAGE_MAX = 100;
const isExportId = (key: string): boolean => /^exp_[0-9a-f-]{36}$/.test(key);

/**
 * One page of the exports, newest first.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 */
export async function listExports(
  db: Queryable,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly ExportItem[]; next: string | null }> {
  const size = pageSize(limit, EXPORTS_PAGE_MAX);
  const place = readPlace(after, isExportId);
  const { rows } = await db.query(LIST_EXPORTS, [place?.at ?? null, place?.key ?? null, size + 1]);
  const found = rows.map((one) => row.parse(one));
  return pageOf(found, size, (last) => ({ at: last.createdAt, key: last.exportId }));
}
