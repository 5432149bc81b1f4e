/**
 * What to set aside for one attempt before it is made. A unit is what the service reports (a token), else one byte of
 * the request; so bytes are the estimate that is never too small by much, and what was measured makes it better.
 */

/**
 * @param contentBytes UTF-8 bytes of the content that is shown, of all calls of the attempt together.
 * @param overheadBytes what instructions and the form of the request add, of all calls of the attempt together.
 * @param ratio units for a byte of request, as `ratioOf` measured them in this run; null before anything is measured,
 * when a byte counts as a unit.
 * @returns units to reserve, a whole number, at least 1.
 */
export function reserveUnits({
  contentBytes,
  overheadBytes,
  ratio,
}: {
  readonly contentBytes: number;
  readonly overheadBytes: number;
  readonly ratio: number | null;
}): number {
  return Math.max(1, Math.ceil((contentBytes + overheadBytes) * (ratio ?? 1)));
}

/**
 * @param units and @param requestBytes of the attempts of a run that reported both.
 * @returns units for a byte of request, or null where nothing was measured yet.
 */
export function ratioOf({
  units,
  requestBytes,
}: {
  readonly units: number;
  readonly requestBytes: number;
}): number | null {
  return requestBytes > 0 && units > 0 ? units / requestBytes : null;
}
