import { randomUUID } from 'node:crypto';
import type { Pool, Tx } from '../db/pool.db.ts';
import type { HeldItem } from './item-end.ts';
import {
  LEASE_BATCH,
  LEASE_CANARY,
  LEASE_STANDING,
  LOCK_HELD,
  LOCK_KNOWN,
  OPEN_STARTS,
  RENEW_LEASES,
} from './lease.sql.ts';
import { LEASE_BATCH_COUNT, LEASE_MS } from './limits.ts';

export type HeldRow = {
  id: number;
  run_id: string;
  content_id: string;
  revision: string;
  decision_id: string;
  source: string;
  content_type: string;
  lease_token: string;
  attempt_count: number;
  spent_count: number;
  invalid_count: number;
  waited_ms: number;
  call_group: number;
  alone: boolean;
};

export function toHeldItem(row: HeldRow): HeldItem {
  return {
    id: row.id,
    token: row.lease_token,
    runId: row.run_id,
    contentId: row.content_id,
    revision: row.revision,
    decisionId: row.decision_id,
    source: row.source,
    contentType: row.content_type,
    attemptCount: row.attempt_count,
    spentCount: row.spent_count,
    invalidCount: row.invalid_count,
    waitedMs: row.waited_ms,
    callGroup: row.call_group,
    alone: row.alone,
  };
}

type Asked = { readonly runId: string; readonly workerId: string; readonly limit?: number; readonly leaseMs?: number };

/** An item that was leased, and whether its key is answered already: then no call is made for it. */
export type LeasedItem = HeldItem & { readonly standing: boolean };
type LeasedRow = HeldRow & { readonly standing: boolean };

/** What is passed over: sources, and everything up to an id. */
type Skipping = { readonly sources?: readonly string[]; readonly after?: number };

/**
 * Leases the oldest due items of a run to one worker, under one new fence, until `leaseMs` from now by the database's
 * clock. A run that is not running, or not yet due, gives none; while its canary is open it gives only that. Nothing of a
 * closed source is given.
 * @param skip passes over more: sources, and items up to an id.
 * @returns the items in id order, each with whether its key is answered already; empty where nothing is due or
 * everything is in other hands.
 */
export async function leaseBatch(
  pool: Pool,
  { skip = {}, ...asked }: Asked & { skip?: Skipping },
): Promise<LeasedItem[]> {
  const parameters = [
    asked.runId,
    randomUUID(),
    asked.workerId,
    asked.limit ?? LEASE_BATCH_COUNT,
    asked.leaseMs ?? LEASE_MS,
    skip.sources ?? [],
    skip.after ?? 0,
  ];
  const all = await pool.query<LeasedRow>(LEASE_BATCH, parameters);
  // Each of the two gives nothing at once where the other is right; the run's row decides, not what a caller remembers.
  const { rows } = all.rows.length > 0 ? all : await pool.query<LeasedRow>(LEASE_CANARY, parameters);
  return rows.map((row) => ({ ...toHeldItem(row), standing: row.standing })).sort(byId);
}

/**
 * Leases items of a run that are answered already, so that they can be settled without a call.
 * @param after only items with a greater id, so that a pass over a large run never starts anew.
 */
export async function leaseStanding(pool: Pool, asked: Asked & { readonly after: number }): Promise<HeldItem[]> {
  const { rows } = await pool.query<HeldRow>(LEASE_STANDING, [
    asked.runId,
    randomUUID(),
    asked.workerId,
    asked.limit ?? LEASE_BATCH_COUNT,
    asked.leaseMs ?? LEASE_MS,
    asked.after,
  ]);
  return rows.map(toHeldItem).sort(byId);
}

/**
 * Renews leases of this process, counted anew from now.
 * @returns the ids still held; any other was lost, and its result will meet the fence.
 */
export async function renewLeases(
  pool: Pool,
  held: readonly Pick<HeldItem, 'id' | 'token'>[],
  leaseMs = LEASE_MS,
): Promise<Set<number>> {
  if (held.length === 0) return new Set();
  const { rows } = await pool.query<{ id: number }>(RENEW_LEASES, [
    held.map((item) => item.id),
    held.map((item) => item.token),
    leaseMs,
  ]);
  return new Set(rows.map((row) => row.id));
}

/** Step: locks the items whose fence still matches, in id order. @returns them by id; the rest is lost. */
export async function lockHeld(
  tx: Tx,
  holds: readonly { readonly id: number; readonly token: string }[],
): Promise<Map<number, HeldItem>> {
  const { rows } = await tx.query<HeldRow>(LOCK_HELD, [holds.map((one) => one.id), holds.map((one) => one.token)]);
  return new Map(rows.map((row) => [row.id, toHeldItem(row)]));
}

/** Step: the same where each still has its item as it was leased: only the fence is asked for. */
export async function lockKnown(
  tx: Tx,
  known: readonly { readonly id: number; readonly token: string; readonly about: HeldItem }[],
): Promise<Map<number, HeldItem>> {
  const byId = new Map(known.map((one) => [one.id, one.about]));
  const { rows } = await tx.query<{ id: number }>(LOCK_KNOWN, [
    known.map((one) => one.id),
    known.map((one) => one.token),
  ]);
  return new Map(
    rows.flatMap(({ id }) => {
      const item = byId.get(id);
      return item ? [[id, item]] : [];
    }),
  );
}

/** An attempt that was recorded and has no outcome: its number, and what was set aside for it. */
export type OpenStart = { readonly number: number; readonly reservedUnits: number };

/**
 * Step: the attempts of these items that were recorded and have no outcome. The caller holds the items' locks; asked in
 * a statement after them it sees a start that was recorded a moment before.
 * @returns the start by item id.
 */
export async function openStarts(tx: Tx, ids: readonly number[]): Promise<Map<number, OpenStart>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<{ id: number; number: number; reserved_units: number }>(OPEN_STARTS, [ids]);
  return new Map(rows.map((row) => [row.id, { number: row.number, reservedUnits: row.reserved_units }]));
}

function byId(a: HeldItem, b: HeldItem): number {
  return a.id - b.id;
}
