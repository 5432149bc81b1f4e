import type { Rate } from '@/lib/quality/precision.ts';

/** Figures as they are written everywhere on the manager's pages. */

/** @returns a count with its thousands set apart: `12,345`. */
export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** @returns a count with its word: `1 case`, `1,200 cases`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** @returns a share as `0.87`, cut down and never rounded up: 0.899 must not read as 0.90. */
export function shareText(value: number): string {
  return (Math.floor(value * 100 + 1e-9) / 100).toFixed(2);
}

/** @returns a part of a whole as `76%`; a part that is there is never `0%`, one that is not all never `100%`. */
export function percentText(part: number, whole: number): string {
  if (whole === 0) return 'n/a';
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 1) return 'under 1%';
  if (part < whole && percent > 99) return 'over 99%';
  return `${Math.round(percent)}%`;
}

/** @returns a rate in words: `0.87`, or that there is nothing to divide by. */
export function rateText(one: Rate): string {
  return one.value === null ? 'n/a (0 of 0)' : shareText(one.value);
}

/** @returns the bounds of a rate: the lower cut down and the upper rounded up, so that neither claims more than it knows. */
export function intervalText(one: Rate): string {
  if (one.low === null || one.high === null) return '';
  return `${shareText(one.low)} to ${(Math.ceil(one.high * 100 - 1e-9) / 100).toFixed(2)}`;
}

/** @returns how long something took: `840 ms`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 1) return `${Math.max(0, Math.floor(ms))} ms`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
