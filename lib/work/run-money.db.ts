import type { Queryable } from '../db/pool.db.ts';
import { readBudget } from './budget.db.ts';
import { waitingSources } from './caps.db.ts';
import { type ProjectionJson, projectionJson } from './go.db.ts';
import { projectRun } from './project.db.ts';
import { CANARY_ENDED, PRICE_AT_START } from './run-money.sql.ts';
import type { Run } from './runs.db.ts';

/** What a run costs, as commands print it and its page shows it. Prices are in the operator's own currency. */
export type RunMoney = {
  readonly ceiling_units: number | null;
  /** Set aside for attempts under way. */
  readonly reserved_units: number;
  /** What instructions and context are of all bytes that were sent, from 0 to 1; null where nothing was sent. */
  readonly overhead_share: number | null;
  readonly price_per_million_units: number | null;
  /** `open` until the go. */
  readonly canary: { readonly items: number; readonly ended: number; readonly open: boolean } | null;
  /** Of the whole run, from its canary; null after the go. */
  readonly projection: ProjectionJson | null;
  /** Sources that stand still while others go on. */
  readonly waiting_sources: readonly {
    readonly source: string;
    readonly why: 'capped' | 'paused';
    readonly items: number;
    readonly until: string | null;
  }[];
};

/**
 * @param sent bytes of all attempts of the run, and how many of them were content.
 * @returns what a run costs until now, and what it waits for. The projection is made once the canary has ended.
 */
export async function runMoney(
  db: Queryable,
  run: Run,
  sent: { readonly requestBytes: number; readonly contentBytes: number },
): Promise<RunMoney> {
  const { reserved } = await readBudget(db, run.id);
  const projection = run.state === 'waiting' ? await projectRun(db, run) : null;
  const waiting = await waitingSources(db, run.id);
  return {
    ceiling_units: run.ceilingUnits,
    reserved_units: reserved,
    overhead_share: sent.requestBytes > 0 ? Math.max(0, 1 - sent.contentBytes / sent.requestBytes) : null,
    price_per_million_units: await priceOf(db, run.id),
    canary: await canaryOf(db, run),
    projection: projection && projectionJson(projection),
    waiting_sources: waiting.map((one) => ({ ...one, until: one.until?.toISOString() ?? null })),
  };
}

async function canaryOf(db: Queryable, run: Run): Promise<RunMoney['canary']> {
  if (run.canaryCount === null) return null;
  const { rows } = await db.query<{ ended: number }>(CANARY_ENDED, [run.id]);
  return { items: run.canaryCount, ended: rows[0]?.ended ?? 0, open: run.canaryOpen };
}

async function priceOf(db: Queryable, runId: string): Promise<number | null> {
  const { rows } = await db.query<{ price: unknown }>(PRICE_AT_START, [runId]);
  const price = rows[0]?.price;
  return typeof price === 'number' ? price : null;
}
