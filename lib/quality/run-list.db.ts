import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { pageOf, pageSize, readPlace } from '../kernel/page.ts';
import { isUuid } from '../kernel/uuid.ts';
import { PAUSE_REASONS, RUN_MODES, RUN_STATES } from '../work/run-state.ts';
import { LIST_RUNS } from './run-list.sql.ts';

const row = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(RUN_STATES),
    pause_reason: z.enum(PAUSE_REASONS).nullable(),
    mode: z.enum(RUN_MODES),
    policy_version: z.string(),
    created_at: z.date(),
    ended_at: z.date().nullable(),
    revisions: z.int(),
    snapshot: z.string().nullable(),
    decisions: z.int(),
    exceptions: z.int(),
    exports: z.int(),
  })
  .transform((run) => ({
    id: run.id,
    name: run.name,
    state: run.state,
    pauseReason: run.pause_reason,
    mode: run.mode,
    policyVersion: run.policy_version,
    createdAt: run.created_at,
    endedAt: run.ended_at,
    /** A name of what it classifies. */
    snapshot: run.snapshot,
    revisions: run.revisions,
    /** By the workers' counters; the run's own page counts the rows. */
    decisions: run.decisions,
    exceptions: run.exceptions,
    /** Bundles that were published of it. */
    exports: run.exports,
  }));

/** A run as the list shows it. */
export type RunItem = Readonly<z.infer<typeof row>>;

/** Rows of a page at most. */
export const RUNS_PAGE_MAX = 100;

/**
 * One page of the runs, newest first.
 * @param after `next` of the page before; null, or anything that is no such place, begins at the beginning.
 */
export async function listRunItems(
  db: Queryable,
  { after = null, limit = 50 }: { after?: string | null; limit?: number } = {},
): Promise<{ items: readonly RunItem[]; next: string | null }> {
  const size = pageSize(limit, RUNS_PAGE_MAX);
  const place = readPlace(after, isUuid);
  const { rows } = await db.query(LIST_RUNS, [place?.at ?? null, place?.key ?? null, size + 1]);
  const found = rows.map((one) => row.parse(one));
  return pageOf(found, size, (last) => ({ at: last.createdAt, key: last.id }));
}
