import type { Stratum } from './canary.ts';

/**
 * What a run will use in all, projected from what its canary used. Never rows times a constant: the units of an item
 * are modelled on its bytes and the sum of the bytes of all items is known. This is the generalised regression
 * estimator over a stratified sample (Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, chapters 6
 * and 7): sum of the fitted units of all items, plus N_h times the mean residual of each stratum; its variance is the
 * sum of N_h² (1 − n_h/N_h) s²_h / n_h over the residuals, and the interval uses Student's t with Satterthwaite's
 * degrees of freedom.
 */

/** One canary item that has ended, with its stratum, bytes of its text, and what all its attempts came to. */
export type Measured = {
  readonly stratum: number;
  readonly bytes: number;
  readonly units: number;
  readonly requestBytes: number;
  readonly contentBytes: number;
};

export type Projection = {
  /** Of the whole run, what the canary used included. */
  readonly units: number;
  /** The 95 % interval of it. */
  readonly low: number;
  readonly high: number;
  /** Canary items it rests on, and items it speaks of. */
  readonly measuredCount: number;
  readonly itemCount: number;
  /** What instructions and context are of all bytes sent, from 0 to 1; null where nothing was sent. */
  readonly overheadShare: number | null;
};

type Group = { count: number; bytes: number; measured: Measured[] };
type Line = { readonly at: number; readonly slope: number; readonly parameters: number };

/** With fewer items a slope would be guessed. */
const LINE_MIN_COUNT = 6;

/**
 * @param strata all items by quantile of length, the canary among them.
 * @param measured canary items that have ended.
 * @returns the projection, or null where fewer than two items were measured and others are still to come.
 */
export function projectUnits(strata: readonly Stratum[], measured: readonly Measured[]): Projection | null {
  const groups = grouped(strata, measured);
  const itemCount = sumOf(strata, ({ count }) => count);
  const whole = measured.length >= itemCount;
  if (measured.length === 0 || (measured.length < 2 && !whole)) return null;
  const used = sumOf(measured, ({ units }) => units);
  const weightOf = (group: Group): number => group.count / group.measured.length;
  const line = lineThrough(
    groups.flatMap((group) => group.measured.map((one) => ({ ...one, weight: weightOf(group) }))),
  );
  const bytes = sumOf(strata, (one) => one.bytes);
  const residual = (one: Measured): number => one.units - line.at - line.slope * one.bytes;
  const fitted = line.at * itemCount + line.slope * bytes;
  const units = whole ? used : fitted + sumOf(groups, (group) => group.count * mean(group.measured.map(residual)));
  const variances = groups.map((group) => variance(group, residual));
  const spread = whole ? 0 : halfWidth(variances, groups, { n: measured.length, parameters: line.parameters });
  const sent = sumOf(groups, (group) => weightOf(group) * sumOf(group.measured, (one) => one.requestBytes));
  const content = sumOf(groups, (group) => weightOf(group) * sumOf(group.measured, (one) => one.contentBytes));
  return {
    units: Math.max(used, Math.round(units)),
    low: Math.max(used, Math.floor(units - spread)),
    high: Math.max(used, Math.ceil(units + spread)),
    measuredCount: measured.length,
    itemCount,
    overheadShare: sent > 0 ? Math.max(0, 1 - content / sent) : null,
  };
}

/** Neighbouring strata are taken together until each group has two measured items, or all it holds. */
function grouped(strata: readonly Stratum[], measured: readonly Measured[]): Group[] {
  const groups: Group[] = [];
  let open: Group = { count: 0, bytes: 0, measured: [] };
  for (const { stratum, count, bytes } of strata) {
    open.count += count;
    open.bytes += bytes;
    open.measured.push(...measured.filter((one) => one.stratum === stratum));
    if (open.measured.length < 2 && open.measured.length < open.count) continue;
    groups.push(open);
    open = { count: 0, bytes: 0, measured: [] };
  }
  const last = groups.at(-1);
  if (open.count === 0) return groups;
  if (!last) return [open];
  last.count += open.count;
  last.bytes += open.bytes;
  last.measured.push(...open.measured);
  return groups;
}

/** Weighted least squares of units on bytes; what an item varies by grows with its bytes, so long ones weigh less. */
function lineThrough(measured: readonly (Measured & { readonly weight: number })[]): Line {
  const level = 1 + mean(measured.map(({ bytes }) => bytes)) / 10;
  const points = measured.map(({ bytes, units, weight }) => ({ x: bytes, y: units, w: weight / (bytes + level) }));
  const weight = sumOf(points, ({ w }) => w);
  const meanX = sumOf(points, ({ w, x }) => w * x) / weight;
  const meanY = sumOf(points, ({ w, y }) => w * y) / weight;
  const across = sumOf(points, ({ w, x }) => w * (x - meanX) ** 2);
  if (points.length < LINE_MIN_COUNT || across <= 0) return { at: meanY, slope: 0, parameters: 1 };
  const slope = sumOf(points, ({ w, x, y }) => w * (x - meanX) * (y - meanY)) / across;
  return { at: meanY - slope * meanX, slope, parameters: 2 };
}

function variance({ count, measured }: Group, residual: (one: Measured) => number): number {
  const n = measured.length;
  if (n >= count || n < 2) return 0;
  const residuals = measured.map(residual);
  const middle = mean(residuals);
  const s2 = sumOf(residuals, (one) => (one - middle) ** 2) / (n - 1);
  return (count ** 2 * (1 - n / count) * s2) / n;
}

function halfWidth(
  variances: readonly number[],
  groups: readonly Group[],
  { n, parameters }: { readonly n: number; readonly parameters: number },
): number {
  const total = sumOf(variances, (one) => one);
  if (total === 0) return 0;
  const parts = variances.map((one, at) => (one === 0 ? 0 : one ** 2 / ((groups[at]?.measured.length ?? 2) - 1)));
  const freedom = Math.min(total ** 2 / sumOf(parts, (one) => one), Math.max(1, n - parameters));
  const fitted = n > parameters ? n / (n - parameters) : 1;
  return studentT975(freedom) * Math.sqrt(total * fitted);
}

/** The smallest degrees of freedom from a table; from five on the expansion of Cornish and Fisher is good to 0.01. */
const T975 = [12.706, 4.303, 3.182, 2.776] as const;
const Z975 = 1.959964;

/** @returns the 97.5 % point of Student's t; degrees of freedom are rounded down. */
export function studentT975(freedom: number): number {
  const whole = Math.max(1, Math.floor(freedom));
  const exact = T975[whole - 1];
  if (exact !== undefined) return exact;
  const z = Z975;
  const first = (z ** 3 + z) / (4 * whole);
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * whole ** 2);
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * whole ** 3);
  return z + first + second + third;
}

function sumOf<T>(list: readonly T[], number: (one: T) => number): number {
  return list.reduce((sum, one) => sum + number(one), 0);
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : sumOf(numbers, (one) => one) / numbers.length;
}
