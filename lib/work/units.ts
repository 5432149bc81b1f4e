/** Who may start: what an attempt would reserve against what is left of its run's ceiling and of today's caps. */

/** One attempt that is about to start. */
export type Wanted = { readonly id: number; readonly source: string; readonly units: number };

/** What has been spent or set aside of something that has a limit; null where it has none. */
export type Allowance = { readonly limit: number | null; readonly taken: number };

/** `ceiling`: the run's owner approved no more. `capped`: today's cap of its source, or of everything, is used up. */
export type Grant = 'start' | 'ceiling' | 'capped';

/** The row of `unit_cap` and `unit_day` that speaks of everything together. */
export const ALL_SOURCES = '*';

/**
 * Grants units in the order given: each attempt that still fits starts, also after one that did not. A cap is asked
 * first, for what is capped goes on by itself tomorrow and must not pause its run.
 * @param run of the whole run.
 * @param days of today, by source and for ALL_SOURCES; absent where there is no cap.
 */
export function grantUnits(
  wanted: readonly Wanted[],
  run: Allowance,
  days: ReadonlyMap<string, Allowance>,
): Map<number, Grant> {
  const granted = new Map<number, Grant>();
  let ofRun = 0;
  const ofDay = new Map<string, number>();
  for (const { id, source, units } of wanted) {
    const sources = new Set([source, ALL_SOURCES]);
    if ([...sources].some((name) => !hasRoom(days.get(name), (ofDay.get(name) ?? 0) + units)))
      granted.set(id, 'capped');
    else if (!hasRoom(run, ofRun + units)) granted.set(id, 'ceiling');
    else {
      granted.set(id, 'start');
      ofRun += units;
      for (const name of sources) ofDay.set(name, (ofDay.get(name) ?? 0) + units);
    }
  }
  return granted;
}

function hasRoom(allowance: Allowance | undefined, units: number): boolean {
  if (!allowance || allowance.limit === null) return true;
  return allowance.taken + units <= allowance.limit;
}
