import { type FailureCode, isServiceFault } from '../classifier/failure.ts';

/**
 * A circuit breaker for one run in one worker: while a service is down, items do not burn their attempts against it.
 * Pure: a state and what results and time make of it.
 */

/** So many faults in a row, with no answer between them, open it. */
export const BREAKER_TRIP_COUNT = 10;
/** It stays open first so long, then twice as long after every probe that fails, up to the most. */
export const BREAKER_COOL_FIRST_MS = 1_000;
export const BREAKER_COOL_MAX_MS = 30_000;
/** So many failed probes in a row pause the run: somebody has to look. */
export const BREAKER_PROBES_MAX = 6;

/** `trip` counts how often it has opened; a call carries the trip it began in. */
export type Breaker = { readonly trip: number } & (
  | { readonly state: 'closed'; readonly faults: number }
  /** Nothing is called for `coolMs`; `probes` failed so far. */
  | { readonly state: 'open'; readonly coolMs: number; readonly probes: number }
  /** One call finds out. */
  | { readonly state: 'probing'; readonly probes: number }
);

export const CLOSED: Breaker = { trip: 0, state: 'closed', faults: 0 };

export type CallEnded = {
  readonly outcome: 'ok' | FailureCode;
  readonly trip: number;
  readonly retryAfterMs?: number | undefined;
};

/**
 * Takes one result into account.
 * @param trip of the breaker when the call began: a fault from before it opened says nothing new.
 * @param retryAfterMs what a service that limits its rate named: nobody else is sent before that either. One that names
 * no time is left alone like one that is down.
 * @param random from 0 up to 1; workers that tripped together do not probe together.
 * @returns the breaker afterwards, and whether the run has to pause.
 */
export function afterCall(
  breaker: Breaker,
  { outcome, trip, retryAfterMs }: CallEnded,
  random: number,
): { readonly breaker: Breaker; readonly pause: boolean } {
  if (outcome === 'rate_limited' && retryAfterMs !== undefined && retryAfterMs > 0) {
    if (trip !== breaker.trip) return { breaker, pause: false };
    const coolMs = Math.min(BREAKER_COOL_MAX_MS, Math.ceil(retryAfterMs));
    return { breaker: { trip: breaker.trip + 1, state: 'open', coolMs, probes: 0 }, pause: false };
  }
  const isFault = isServiceFault(outcome) || outcome === 'rate_limited';
  if (!isFault) return { breaker: { trip: breaker.trip, state: 'closed', faults: 0 }, pause: false };
  if (trip !== breaker.trip || breaker.state === 'open') return { breaker, pause: false };
  if (breaker.state === 'probing') {
    const probes = breaker.probes + 1;
    return { breaker: opened(breaker.trip, probes, random), pause: probes >= BREAKER_PROBES_MAX };
  }
  const faults = breaker.faults + 1;
  if (faults < BREAKER_TRIP_COUNT) return { breaker: { ...breaker, faults }, pause: false };
  return { breaker: opened(breaker.trip, 0, random), pause: false };
}

/** @returns the breaker when its time to cool is over. */
export function cooled(breaker: Breaker): Breaker {
  return breaker.state === 'open' ? { trip: breaker.trip, state: 'probing', probes: breaker.probes } : breaker;
}

/** @returns how many calls may be under way: none while open, one while probing, else `atOnce`. */
export function allowed(breaker: Breaker, atOnce: number): number {
  switch (breaker.state) {
    case 'closed':
      return atOnce;
    case 'open':
      return 0;
    case 'probing':
      return 1;
  }
}

function opened(trip: number, probes: number, random: number): Breaker {
  const ceiling = Math.min(BREAKER_COOL_MAX_MS, BREAKER_COOL_FIRST_MS * 2 ** probes);
  return { trip: trip + 1, state: 'open', coolMs: Math.ceil(ceiling * (0.5 + random / 2)), probes };
}
