import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { CAPPED_ITEMS, CLOSED_ITEMS, FREE_CAPPED, LIST_CAPS, REMOVE_CAP, SET_CAP, SOURCE_KNOWN } from './caps.sql.ts';
import { ALL_SOURCES } from './units.ts';

export type CapRefusal = 'unknown_source' | 'no_cap';
type Which = {
  /** A source, or ALL_SOURCES. */
  readonly source: string;
  readonly actor: Actor;
};

/**
 * Act: sets what one UTC day may cost. What a lower cap had sent to the next day is due again at once.
 * @param units of one day, within UNITS_BOUNDS.
 * @returns items that are due again; or `unknown_source`.
 */
export async function setCap(
  pool: Pool,
  { source, units, actor }: Which & { readonly units: number },
): Promise<Result<number, CapRefusal>> {
  const done = await transact<number, CapRefusal>(pool, async (tx) => {
    if (source !== ALL_SOURCES && (await tx.query(SOURCE_KNOWN, [source])).rowCount === 0) {
      return refused('unknown_source');
    }
    const freed = await free(tx, source);
    await tx.query(SET_CAP, [source, units, actor]);
    await writeAudit(tx, { actor, kind: 'work.cap_set', subject: `source:${source}`, data: { daily_units: units } });
    return ok(freed);
  });
  return done.ok ? ok(done.value + (await free(pool, source))) : done;
}

/** Act: takes a cap away. @returns items that are due again; or `no_cap` where there was none. */
export async function removeCap(pool: Pool, { source, actor }: Which): Promise<Result<number, CapRefusal>> {
  const done = await transact<number, CapRefusal>(pool, async (tx) => {
    const freed = await free(tx, source);
    if ((await tx.query(REMOVE_CAP, [source])).rowCount === 0) return refused('no_cap');
    await writeAudit(tx, { actor, kind: 'work.cap_removed', subject: `source:${source}`, data: {} });
    return ok(freed);
  });
  return done.ok ? ok(done.value + (await free(pool, source))) : done;
}

/**
 * Items before caps is the order in which every transaction locks; so what meets the old cap meanwhile is freed by a
 * second pass, after the new one is in force.
 */
async function free(db: Queryable, source: string): Promise<number> {
  return (await db.query(FREE_CAPPED, [source])).rowCount ?? 0;
}

/** A cap with what the present UTC day came to. */
export type CapView = {
  readonly source: string;
  readonly dailyUnits: number;
  readonly setBy: string;
  readonly setAt: Date;
  readonly used: number;
  readonly reserved: number;
  /** The end of the day. */
  readonly resetsAt: Date;
};

type CapRow = {
  source: string;
  daily_units: number;
  set_by: string;
  set_at: Date;
  used: number;
  reserved: number;
  resets_at: Date;
};

/** @returns every cap, the one for everything together first. */
export async function listCaps(db: Queryable): Promise<CapView[]> {
  const { rows } = await db.query<CapRow>(LIST_CAPS);
  return rows.map((row) => ({
    source: row.source,
    dailyUnits: row.daily_units,
    setBy: row.set_by,
    setAt: row.set_at,
    used: row.used,
    reserved: row.reserved,
    resetsAt: row.resets_at,
  }));
}

/** A source of a run whose items wait: for the next day, or for its switch (`until` is null). */
export type WaitingSource = {
  readonly source: string;
  readonly why: 'capped' | 'paused';
  readonly items: number;
  readonly until: Date | null;
};

/** @returns the sources of a run that stand still while others go on, and why. */
export async function waitingSources(db: Queryable, runId: string): Promise<WaitingSource[]> {
  const capped = await db.query<{ source: string; items: number; until: Date }>(CAPPED_ITEMS, [runId]);
  const closed = await db.query<{ source: string; items: number }>(CLOSED_ITEMS, [runId]);
  return [
    ...closed.rows.map((row) => ({ ...row, why: 'paused' as const, until: null })),
    ...capped.rows.map((row) => ({ ...row, why: 'capped' as const })),
  ];
}
