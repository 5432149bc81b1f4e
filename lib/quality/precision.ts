import { wilsonInterval } from '../kernel/wilson.ts';

/** Rates that say how far they can be believed: k of n, the share, and Wilson's 95% interval. */

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
 * The share k of n with Wilson's interval.
 * @param k counted, from 0 to n.
 */
export function rate(k: number, n: number): Rate {
  if (!(Number.isInteger(k) && Number.isInteger(n) && k >= 0 && k <= n)) throw new RangeError('k of n');
  const interval = wilsonInterval(k, n);
  if (!interval) return { k, n, value: null, low: null, high: null };
  return { k, n, value: k / n, low: interval.low, high: interval.high };
}

/** @returns true where the share rests on too few to say anything by it. */
export function tooFew(one: Pick<Rate, 'n'>): boolean {
  return one.n < FEW_BELOW;
}
