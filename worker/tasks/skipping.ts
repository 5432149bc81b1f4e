/** A cap that refused an item is not asked again for so long: it may have been raised, or the day may be over. */
const CAPPED_REST_MS = 30_000;
/** Wait before a run is looked through again in which everything that was due had to be passed over. */
const BLOCKED_REST_MS = 5_000;

/** What a lane passes over when it leases, so that items which may not be called are not read again and again. */
export type Skipping = {
  /** Sources that are closed now. */
  setClosed(sources: readonly string[]): void;
  /** Today has no units left for this source. */
  capped(source: string): void;
  /** What the next lease is to pass over. */
  next(): { readonly sources: readonly string[]; readonly after: number };
  /**
   * Takes in what a lease gave.
   * @param last the last id, or null where it gave nothing; `full` where it gave as much as it was asked for.
   * @returns true where nothing is due just now.
   */
  leased(last: number | null, full: boolean): boolean;
  /** True while looking again would find the same: all that was due is passed over. */
  rests(): boolean;
};

/** @param now in ms, of a clock that never goes back. */
export function skipping(now: () => number = () => performance.now()): Skipping {
  let closed: readonly string[] = [];
  const cappedUntil = new Map<string, number>();
  let after = 0;
  let restUntil: { readonly at: number; readonly passing: string } | null = null;

  const passing = (): string[] => {
    for (const [source, until] of cappedUntil) if (until <= now()) cappedUntil.delete(source);
    return [...new Set([...closed, ...cappedUntil.keys()])].sort();
  };
  return {
    setClosed: (sources) => {
      closed = sources;
    },
    capped: (source) => void cappedUntil.set(source, now() + CAPPED_REST_MS),
    next: () => {
      const sources = passing();
      if (sources.length === 0) after = 0;
      return { sources, after };
    },
    leased: (last, full) => {
      const sources = passing();
      const whole = after === 0;
      after = full && last !== null && sources.length > 0 ? last : 0;
      if (last !== null || !whole) return false;
      if (sources.length > 0) restUntil = { at: now() + BLOCKED_REST_MS, passing: JSON.stringify(sources) };
      return true;
    },
    rests: () => {
      if (restUntil && (restUntil.at <= now() || restUntil.passing !== JSON.stringify(passing()))) restUntil = null;
      return restUntil !== null;
    },
  };
}
