import type { Pool } from '../../lib/db/pool.db.ts';
import type { HeldItem } from '../../lib/work/item-end.ts';
import { type LeasedItem, leaseBatch } from '../../lib/work/lease.db.ts';
import { LEASE_BATCH_COUNT } from '../../lib/work/limits.ts';
import { type Skipping, skipping } from './skipping.ts';

/** Wait before looking for items again where none were due. */
export const IDLE_MS = 500;

/** Items of one run that are leased and not yet taken up, and what brings more of them. */
export type Supply = {
  /** In the order they are to be worked on. */
  readonly items: HeldItem[];
  readonly skipping: Skipping;
  /**
   * Leases ahead, while calls go on, so that they never wait for it.
   * @returns null where there is something to take up, else how long to wait before asking again.
   */
  look(): Promise<number | null>;
  /** Resolves when no lease is under way. */
  settled(): Promise<void>;
};

/**
 * @param lease.worker the registration at this moment.
 * @param lease.onLeased is told of every item first; what it returns true for is answered already and not to be called.
 */
export function supply(lease: {
  readonly pool: Pool;
  readonly runId: string;
  worker(): { readonly id: string };
  onLeased(item: LeasedItem): boolean;
  onError(thrown: unknown): void;
}): Supply {
  const { pool, runId } = lease;
  const items: HeldItem[] = [];
  const passed = skipping();
  let leasing: Promise<void> | null = null;
  let dry = false;

  const fetch = async (): Promise<void> => {
    const leased = await leaseBatch(pool, { runId, workerId: lease.worker().id, skip: passed.next() });
    dry = passed.leased(leased.at(-1)?.id ?? null, leased.length === LEASE_BATCH_COUNT);
    for (const item of leased) if (!lease.onLeased(item)) items.push(item);
  };
  const ahead = (): void => {
    leasing ??= fetch()
      .catch((thrown: unknown) => {
        dry = true;
        lease.onError(thrown);
      })
      .finally(() => {
        leasing = null;
      });
  };

  return {
    items,
    skipping: passed,
    look: async () => {
      if (items.length === 0 && passed.rests()) return IDLE_MS;
      if (items.length < LEASE_BATCH_COUNT / 2 && !dry) ahead();
      if (items.length > 0) return null;
      await leasing;
      if (items.length > 0 || !dry) return 0;
      dry = false;
      return IDLE_MS;
    },
    settled: async () => {
      await leasing;
    },
  };
}
