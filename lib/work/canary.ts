/**
 * How a canary is drawn: from every quantile of the lengths that the run really has, and more where the bytes are. An
 * even draw over rows would hardly see the few long texts that cost most.
 */

/** Quantiles of length at most; fewer for a small canary, so that each holds enough to say how much it varies. */
const STRATA_MAX = 10;
const PER_STRATUM_MIN = 4;
/** Drawn from each stratum at least, where it has so many: one alone says nothing about variation. */
const DRAWN_MIN = 2;
/** Bounds of what may be asked for. */
export const CANARY_BOUNDS = { min: 2, max: 10_000 } as const;

/** One quantile of length: its items and their bytes. */
export type Stratum = { readonly stratum: number; readonly count: number; readonly bytes: number };

/** @returns how many quantiles of length a canary of `n` is drawn from. */
export function strataCount(n: number): number {
  return Math.max(1, Math.min(STRATA_MAX, Math.floor(n / PER_STRATUM_MIN)));
}

/**
 * Divides a canary among strata in proportion to their bytes (Neyman's allocation, where what an item costs varies with
 * its size).
 * @returns how many to draw from each, in their order; together n, or all there are.
 */
export function allotCanary(strata: readonly Stratum[], n: number): number[] {
  const drawn = strata.map(({ count }) => Math.min(count, DRAWN_MIN));
  let left = n - drawn.reduce((sum, one) => sum + one, 0);
  for (; left > 0; left--) {
    const at = neediest(strata, drawn);
    if (at === null) break;
    drawn[at] = (drawn[at] ?? 0) + 1;
  }
  for (let at = 0; left < 0 && at < drawn.length; at++) {
    const less = Math.min(-left, drawn[at] ?? 0);
    drawn[at] = (drawn[at] ?? 0) - less;
    left += less;
  }
  return drawn;
}

/** The stratum that has most bytes for each item drawn and has items left (Jefferson's method of division). */
function neediest(strata: readonly Stratum[], drawn: readonly number[]): number | null {
  let best: { at: number; weight: number } | null = null;
  for (const [at, { count, bytes }] of strata.entries()) {
    const taken = drawn[at] ?? 0;
    if (taken >= count) continue;
    const weight = (bytes + count) / (taken + 1);
    if (!best || weight > best.weight) best = { at, weight };
  }
  return best?.at ?? null;
}
