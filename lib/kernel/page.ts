/** Keyset pages: a page begins after a place, the instant and the key of the last row of the page before. */

export type Place = { readonly at: Date; readonly key: string };

const PLACE = /^(\d{1,15})\.(.+)$/;

/**
 * Reads the place a page goes on after.
 * @param isKey knows a key of this list.
 * @returns null for null and for anything that is no such place: then the list begins at its beginning.
 */
export function readPlace(after: string | null, isKey: (key: string) => boolean): Place | null {
  const [, at, key] = PLACE.exec(after ?? '') ?? [];
  return at !== undefined && key !== undefined && isKey(key) ? { at: new Date(Number(at)), key } : null;
}

/** @returns the rows of a page: what was asked for, within 1 and `max`. */
export function pageSize(limit: number, max: number): number {
  return Math.min(Math.max(1, limit), max);
}

/**
 * @param found up to one row more than the page holds, which is how one knows that there is another page.
 * @returns the page, and the place to go on after; null on the last page.
 */
export function pageOf<T>(
  found: readonly T[],
  size: number,
  placeOf: (last: T) => { readonly at: Date; readonly key: string | number },
): { readonly items: readonly T[]; readonly next: string | null } {
  const items = found.slice(0, size);
  const last = items.at(-1);
  if (last === undefined || found.length <= size) return { items, next: null };
  const { at, key } = placeOf(last);
  return { items, next: `${at.getTime()}.${key}` };
}
