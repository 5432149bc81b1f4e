import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import { LOCK_STARTABLE, START_ATTEMPTS } from './attempts.sql.ts';
import type { HeldItem } from './item-end.ts';
import { ENSURE_BUDGET, ENSURE_TODAY, LOCK_BUDGET, LOCK_TODAY } from './units.sql.ts';
import { ALL_SOURCES, type Allowance, type Grant, grantUnits, type Wanted } from './units.ts';

/** An item whose attempt is about to start, with what it sets aside for it; 1 unit where that is left out. */
export type Starting = Pick<HeldItem, 'id' | 'token'> & { readonly units?: number };

/** What may be called now. */
export type Starts = {
  /** The number of the attempt by item id. An item in none of the three must not be called: its lease is lost, its run
   * does not run, or its source is closed. */
  readonly attempts: ReadonlyMap<number, number>;
  /** Items for which the run has no units left under its ceiling. */
  readonly atCeiling: ReadonlySet<number>;
  /** Items for which today has no units left. */
  readonly capped: ReadonlySet<number>;
  /** Units of this run are set aside somewhere: what comes of them may leave more. */
  readonly stillReserved: boolean;
  /** Until what is capped may be asked for again, in ms by the database's clock. */
  readonly untilTomorrowMs: number;
};

const NOTHING: Starts = {
  attempts: new Map(),
  atCeiling: new Set(),
  capped: new Set(),
  stillReserved: false,
  untilTomorrowMs: 0,
};

type StartRow = { limited: boolean; id: number | null; number: number | null };

/**
 * Act: records, just before the calls, that an attempt starts for each of these items of one run, and sets its units
 * aside. Where the run has a ceiling or a day a cap, what would pass it is refused under the lock that counts them.
 */
export async function startAttempts(
  pool: Pool,
  { runId, items }: { readonly runId: string; readonly items: readonly Starting[] },
): Promise<Starts> {
  if (items.length === 0) return NOTHING;
  const { rows } = await pool.query<StartRow>(START_ATTEMPTS, parameters(runId, items, false));
  if (!rows[0]?.limited) return { ...NOTHING, attempts: numbers(rows) };
  const started = await transact<Starts, never>(pool, async (tx) => ok(await startLimited(tx, runId, items)));
  if (!started.ok) throw new Error('starting has no refusals');
  return started.value;
}

async function startLimited(tx: Tx, runId: string, items: readonly Starting[]): Promise<Starts> {
  const held = await tx.query<Wanted>(LOCK_STARTABLE, parameters(runId, items, false).slice(0, 4));
  const wanted = held.rows;
  if (wanted.length === 0) return NOTHING;
  const sources = [...new Set([...wanted.map(({ source }) => source), ALL_SOURCES])];
  await tx.query(ENSURE_BUDGET, [runId]);
  const budget = await tx.query<Allowance & { reserved: number }>(LOCK_BUDGET, [runId]);
  const today = await lockToday(tx, sources);
  const [run] = budget.rows;
  if (!run) throw new Error('the budget of a run is missing');
  const granted = grantUnits(wanted, run, new Map(today.map((row) => [row.source, row])));
  const of = (grant: Grant): Set<number> =>
    new Set(wanted.flatMap(({ id }) => (granted.get(id) === grant ? [id] : [])));
  const starting = of('start');
  const startable = items.filter(({ id }) => starting.has(id));
  const attempts =
    startable.length === 0
      ? new Map<number, number>()
      : numbers((await tx.query<StartRow>(START_ATTEMPTS, parameters(runId, startable, true))).rows);
  return {
    attempts,
    atCeiling: of('ceiling'),
    capped: of('capped'),
    stillReserved: run.reserved > 0 || attempts.size > 0,
    untilTomorrowMs: Math.max(0, ...today.map((row) => row.left_ms)),
  };
}

type TodayRow = Allowance & { source: string; left_ms: number };

/** Between the two statements the day may turn: a row that is then missing would pass for a source without a cap. */
async function lockToday(tx: Tx, sources: readonly string[]): Promise<readonly TodayRow[]> {
  for (let tries = 0; tries < 2; tries++) {
    await tx.query(ENSURE_TODAY, [sources]);
    const { rows } = await tx.query<TodayRow>(LOCK_TODAY, [sources]);
    if (rows.length === sources.length) return rows;
  }
  throw new Error('the units of today are missing');
}

function parameters(runId: string, items: readonly Starting[], granted: boolean): unknown[] {
  return [
    items.map((item) => item.id),
    items.map((item) => item.token),
    runId,
    items.map((item) => item.units ?? 1),
    granted,
  ];
}

function numbers(rows: readonly StartRow[]): Map<number, number> {
  return new Map(rows.flatMap(({ id, number }) => (id === null || number === null ? [] : [[id, number]])));
}
