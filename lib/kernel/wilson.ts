/** Bounds of a share, each from 0 to 1. */
export type Interval = { readonly low: number; readonly high: number };

/** The normal quantile at 0.975: two-sided 95 percent. */
const Z95 = 1.959963984540054;

/**
 * The score interval of Wilson (1927), 95 percent, for `hits` of `count`. Unlike the normal interval it stays inside 0
 * to 1 and does not shrink to nothing at 0 of n and n of n, where small samples would look certain.
 * @returns null where count is 0, for 0 of 0 is no share.
 */
export function wilsonInterval(hits: number, count: number): Interval | null {
  if (count === 0) return null;
  const share = hits / count;
  const z2 = Z95 * Z95;
  const centre = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (Z95 / (1 + z2 / count)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count));
  // At the ends the interval touches 0 or 1 exactly; the arithmetic would miss by a rounding.
  return { low: hits === 0 ? 0 : Math.max(0, centre - half), high: hits === count ? 1 : Math.min(1, centre + half) };
}
