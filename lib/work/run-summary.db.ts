import { snapshotTotals } from '../content/snapshot.db.ts';
import type { Queryable } from '../db/pool.db.ts';
import { compareBytes } from '../kernel/text.ts';
import { type RunMoney, runMoney } from './run-money.db.ts';
import { COUNT_ATTEMPTS, COUNT_EXCEPTIONS, COUNT_ITEMS, SNAPSHOT_REVISIONS, SUM_COUNTERS } from './run-summary.sql.ts';
import { findRun, type Run } from './runs.db.ts';

/** A slice of a run; allow, review and restrict are the machine's verdicts and sum to decisions. */
export type RunSlice = {
  readonly source: string;
  readonly content_type: string;
  /** The snapshot's control total. */
  readonly revisions: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  /** Leased items are among them. */
  readonly pending: number;
  readonly leased: number;
  readonly exported: number;
  readonly allow: number;
  readonly review: number;
  readonly restrict: number;
};

/** The object that commands about a run print; names as in the contract. */
export type RunSummary = RunMoney & {
  readonly run: string;
  readonly name: string;
  readonly state: Run['state'];
  readonly pause_reason: Run['pauseReason'];
  readonly mode: Run['mode'];
  readonly policy_version: string;
  readonly snapshot_id: string;
  readonly classifier: string;
  readonly concurrency: number;
  readonly not_before: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly revisions: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  readonly pending: number;
  readonly attempts: number;
  readonly units: number;
  readonly answer_differs: number;
  readonly exceptions_by_code: readonly { readonly code: string; readonly count: number }[];
  readonly by: readonly RunSlice[];
};

type AttemptSums = { attempts: number; units: number; request_bytes: number; content_bytes: number };
type Counts = Omit<RunSlice, 'revisions'>;
const EMPTY = {
  decisions: 0,
  deduplicated: 0,
  exceptions: 0,
  pending: 0,
  leased: 0,
  exported: 0,
  allow: 0,
  review: 0,
  restrict: 0,
};

/**
 * Counts a run from its rows.
 * @returns its summary, or null where there is no such run. Each number is exact for its own moment; while a run works,
 * numbers of different queries may be a flush apart.
 */
export async function runSummary(db: Queryable, runId: string): Promise<RunSummary | null> {
  const run = await findRun(db, runId);
  if (!run) return null;
  const by = await slices(db, run);
  const codes = await db.query<{ code: string; count: number }>(COUNT_EXCEPTIONS, [run.id]);
  const { rows } = await db.query<AttemptSums>(COUNT_ATTEMPTS, [run.id]);
  const attempts = rows[0] ?? { attempts: 0, units: 0, request_bytes: 0, content_bytes: 0 };
  const progress = await runProgress(db, run);
  const sum = (term: keyof typeof EMPTY | 'revisions'): number => by.reduce((total, slice) => total + slice[term], 0);
  return {
    run: run.id,
    name: run.name,
    state: run.state,
    pause_reason: run.pauseReason,
    mode: run.mode,
    policy_version: run.policyVersion,
    snapshot_id: run.snapshotId,
    classifier: run.classifier,
    concurrency: run.concurrency,
    not_before: run.notBefore?.toISOString() ?? null,
    created_at: run.createdAt.toISOString(),
    ended_at: run.endedAt?.toISOString() ?? null,
    revisions: sum('revisions'),
    decisions: sum('decisions'),
    deduplicated: sum('deduplicated'),
    exceptions: sum('exceptions'),
    pending: sum('pending'),
    attempts: attempts.attempts,
    units: attempts.units,
    answer_differs: progress.answerDiffers,
    ...(await runMoney(db, run, { requestBytes: attempts.request_bytes, contentBytes: attempts.content_bytes })),
    exceptions_by_code: codes.rows,
    by,
  };
}

async function slices(db: Queryable, run: Run): Promise<RunSlice[]> {
  const totals = await snapshotTotals(db, run.snapshotId);
  const { rows } = await db.query<Counts>(COUNT_ITEMS, [run.id]);
  const bySlice = new Map<string, RunSlice>(
    totals.map(({ source, contentType, revisions }) => [
      sliceKey(source, contentType),
      { source, content_type: contentType, revisions, ...EMPTY },
    ]),
  );
  for (const row of rows) {
    const key = sliceKey(row.source, row.content_type);
    bySlice.set(key, { ...row, revisions: bySlice.get(key)?.revisions ?? 0 });
  }
  return [...bySlice.values()].sort(
    (a, b) => compareBytes(a.source, b.source) || compareBytes(a.content_type, b.content_type),
  );
}

function sliceKey(source: string, contentType: string): string {
  return JSON.stringify([source, contentType]);
}

/** What screens show while a run works: the sums of the workers' counters, cheap at any size. */
export type RunProgress = {
  readonly revisions: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  readonly attempts: number;
  readonly units: number;
  readonly answerDiffers: number;
};

/** @returns the progress of a run by its counters; `runSummary` counts exactly. */
export async function runProgress(db: Queryable, run: Pick<Run, 'id' | 'snapshotId'>): Promise<RunProgress> {
  const { rows } = await db.query<Omit<RunProgress, 'revisions' | 'answerDiffers'> & { answer_differs: number }>(
    SUM_COUNTERS,
    [run.id],
  );
  const total = await db.query<{ revisions: number }>(SNAPSHOT_REVISIONS, [run.snapshotId]);
  if (!rows[0]) throw new Error('a sum is always one row');
  const { answer_differs: answerDiffers, ...sums } = rows[0];
  return { ...sums, answerDiffers, revisions: total.rows[0]?.revisions ?? 0 };
}
