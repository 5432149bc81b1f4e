/** Rates that say how far they can be believed: k of n, the share, and Wilson's 95% interval. */

/** The normal quantile at 0.975. */
const Z95 = 1.959963984540054;

/** Below this many of n a share is shown with its interval and called too few to say. */
export const FEW_BELOW = 20;

/** low and high bound the share with 95% confidence; all three are null where n is 0, for 0 of 0 is no percentage. */
export type Rate = {
  readonly k: number;
  readonly n: number;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
};

/**
 * The share k of n with the score interval of Wilson (1927), which stays inside 0 to 1 and says something at 0 and at n.
 * @param k counted, from 0 to n.
 */
export function rate(k: number, n: number): Rate {
  if (!(Number.isInteger(k) && Number.isInteger(n) && k >= 0 && k <= n)) throw new RangeError('k of n');
  if (n === 0) return { k, n, value: null, low: null, high: null };
  const share = k / n;
  const z2 = Z95 * Z95;
  const centre = (share + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n));
  // At the ends the interval touches 0 or 1 exactly; the arithmetic would miss by a rounding.
  const low = k === 0 ? 0 : Math.max(0, centre - half);
  const high = k === n ? 1 : Math.min(1, centre + half);
  return { k, n, value: share, low, high };
}

/** @returns true where the share rests on too few to say anything by it. */
export function tooFew(one: Pick<Rate, 'n'>): boolean {
  return one.n < FEW_BELOW;
}
