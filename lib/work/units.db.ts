import type { Queryable, Tx } from '../db/pool.db.ts';
import { inOrder } from '../db/transact.db.ts';
import { readBudget } from './budget.db.ts';
import { type Measured, NOTHING_MEASURED } from './reserve.ts';
import { CLOSED_SOURCES, MEASURED_BEFORE, SETTLE_BUDGET, SETTLE_DAYS } from './units.sql.ts';
import { ALL_SOURCES } from './units.ts';

/** Attempts of one day and source that end together: what they had set aside, and what they used. */
export type EndedUnits = {
  /** As YYYY-MM-DD, in UTC. */
  readonly day: string;
  readonly source: string;
  readonly reserved: number;
  readonly used: number;
};

/** Answers that a sample looks at. */
const SAMPLE_COUNT = 200;

/**
 * Step, after the counters: gives back what ended attempts of a run had set aside and books what they used, on the run
 * and on the day each of them began.
 */
export async function settleUnits(tx: Tx, runId: string, ended: readonly EndedUnits[]): Promise<void> {
  const moved = ended.filter(({ reserved, used }) => reserved > 0 || used > 0);
  if (moved.length === 0) return;
  const run = [runId, sum(moved.map((one) => one.reserved)), sum(moved.map((one) => one.used))];
  const days = withAll(moved);
  const columns = [
    days.map((one) => one.day),
    days.map((one) => one.source),
    days.map((one) => one.reserved),
    days.map((one) => one.used),
  ];
  await inOrder(tx, [() => tx.query(SETTLE_BUDGET, run), () => tx.query(SETTLE_DAYS, columns)]);
}

/** @returns each day and source once, and each day for everything together. */
function withAll(ended: readonly EndedUnits[]): EndedUnits[] {
  const totals = new Map<string, EndedUnits>();
  for (const one of ended) {
    for (const source of new Set([one.source, ALL_SOURCES])) {
      const key = `${one.day} ${source}`;
      const before = totals.get(key);
      totals.set(key, {
        day: one.day,
        source,
        reserved: one.reserved + (before?.reserved ?? 0),
        used: one.used + (before?.used ?? 0),
      });
    }
  }
  return [...totals.values()];
}

/** @returns sources of which nothing may be called now, by name. */
export async function closedSources(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(CLOSED_SOURCES);
  return rows.map((row) => row.name);
}

/** @returns a sample of what the run's answers measured so far, so that a lane need not guess anew. */
export async function measuredBefore(
  db: Queryable,
  { runId, policyVersion }: { readonly runId: string; readonly policyVersion: string },
): Promise<Measured> {
  if ((await readBudget(db, runId)).used === 0) return NOTHING_MEASURED;
  const { rows } = await db.query<{
    units: number;
    request_bytes: number;
    content_bytes: number;
    requests: number;
  }>(MEASURED_BEFORE, [runId, policyVersion, SAMPLE_COUNT]);
  const [row] = rows;
  if (!row) return NOTHING_MEASURED;
  return {
    units: row.units,
    requestBytes: row.request_bytes,
    contentBytes: row.content_bytes,
    requests: row.requests,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
