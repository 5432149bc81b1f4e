import 'server-only';
import { findSnapshot } from '@/lib/content/snapshot.db.ts';
import type { Queryable } from '@/lib/db/pool.db.ts';
import { looksLikeId } from '@/lib/kernel/uuid.ts';
import { readPace } from '@/lib/work/pace.db.ts';
import type { PaceReason } from '@/lib/work/pace.ts';
import { type RunSummary, runSummary } from '@/lib/work/run-summary.db.ts';
import { findRun } from '@/lib/work/runs.db.ts';

/** What the page of one run shows, counted from its rows now. */
export type RunJson = RunSummary & {
  /** The first name of the snapshot it classifies. */
  readonly snapshot: string;
  readonly countedAt: string;
  /** How each worker that has the run in hand paces itself. */
  readonly pace: readonly { readonly slot: number; readonly atOnce: number; readonly why: PaceReason }[];
};

/** @returns the run as it is now, or null where there is none of that id. */
export async function runJson(db: Queryable, id: string): Promise<RunJson | null> {
  if (!(await runId(db, id))) return null;
  const summary = await runSummary(db, id);
  if (!summary) return null;
  const snapshot = await findSnapshot(db, summary.snapshot_id);
  const pace = (await readPace(db, id)).map(({ slot, atOnce, why }) => ({ slot, atOnce, why }));
  return { ...summary, pace, snapshot: snapshot?.name ?? summary.snapshot_id, countedAt: new Date().toISOString() };
}

/** @returns the id where it is one of a run; names are for the command line. */
export async function runId(db: Queryable, id: string | undefined): Promise<string | null> {
  return id !== undefined && looksLikeId(id) ? ((await findRun(db, id))?.id ?? null) : null;
}
