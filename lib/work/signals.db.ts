import { z } from 'zod';
import { consequence, FAILURES, type FailureCode } from '../classifier/failure.ts';
import type { Queryable } from '../db/pool.db.ts';
import { RUN_SIGNALS } from './signals.sql.ts';

/** How the latest items of a run went: what somebody should know before it is asked to go faster. */
export type RunSignals = {
  /** Items that were called, of the latest SIGNAL_ITEMS. */
  readonly items: number;
  readonly attempts: number;
  /** Of a valid answer, for a whole item; null before the first. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  /** Shares from 0 to 1; null where there is nothing to divide by. */
  readonly retryRate: number | null;
  readonly invalidRate: number | null;
  /** Of the decisions, those that go to people. */
  readonly reviewRate: number | null;
  readonly unitsPerItem: number | null;
};

/** So many of the latest items speak for the present. */
export const SIGNAL_ITEMS = 2_000;

const row = z.object({
  attempts: z.int(),
  items: z.int(),
  invalid: z.int(),
  units: z.int(),
  p50_ms: z.int().nullable(),
  p95_ms: z.int().nullable(),
  decisions: z.int(),
  to_people: z.int(),
});

/** Complete answers that were no valid ones. */
const INVALID = (Object.keys(FAILURES) as FailureCode[]).filter((code) => consequence(code).groupRises);

/** @returns the signals of a run at present. */
export async function runSignals(db: Queryable, runId: string): Promise<RunSignals> {
  const { rows } = await db.query(RUN_SIGNALS, [runId, SIGNAL_ITEMS, INVALID]);
  const one = row.parse(rows[0]);
  return {
    items: one.items,
    attempts: one.attempts,
    p50Ms: one.p50_ms,
    p95Ms: one.p95_ms,
    retryRate: share(one.attempts - one.items, one.attempts),
    invalidRate: share(one.invalid, one.attempts),
    reviewRate: share(one.to_people, one.decisions),
    unitsPerItem: one.items === 0 ? null : one.units / one.items,
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
