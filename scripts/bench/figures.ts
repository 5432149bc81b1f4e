/** Arithmetic of the benchmark. */

/** @returns the middle value, or the mean of the two middle ones. @throws where there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('the median of nothing');
  return (lower + upper) / 2;
}

/**
 * @param share from 0 to 1: 0.95 gives the value that 95 of 100 do not exceed.
 * @returns the smallest value that at least that share does not exceed. @throws where there is none.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('a percentile of nothing');
  return value;
}

/** The order in which contenders run in a round: each round begins with another, so that none always comes first. */
export function rotated<T>(all: readonly T[], round: number): T[] {
  const from = round % Math.max(all.length, 1);
  return [...all.slice(from), ...all.slice(0, from)];
}

/** A bound that a figure has to keep: `least` it must reach, or `most` it must not exceed. */
export type Goal = { readonly least: number } | { readonly most: number };

/** @returns whether the figure keeps the gate. */
export function keeps(figure: number, gate: Goal): boolean {
  return 'least' in gate ? figure >= gate.least : figure <= gate.most;
}

/** @returns a number as people read it: three digits that count, thousands apart. */
export function readable(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-GB');
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
