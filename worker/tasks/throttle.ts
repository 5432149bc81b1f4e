import type { WholeResult } from '../../lib/classifier/answer.ts';
import { afterCall, allowed, type Breaker, CLOSED, cooled } from '../../lib/work/breaker.ts';
import { observe, type Pace, type PaceReason, startPace, withBound } from '../../lib/work/pace.ts';

/** What a call has to remember of the moment it began. */
export type Began = { readonly epoch: number; readonly trip: number };

/** How many calls a lane may have under way: its pace, and the breaker before it. */
export type Throttle = {
  /** Calls that may be under way now; 0 while the service is left alone. */
  allowed(): number;
  begin(): Began;
  /** Takes a result into account. @returns true where the run has to pause: the service does not come back. */
  ended(began: Began, result: WholeResult): boolean;
  /** The operator's bound, lower or higher than before. */
  setBound(bound: number): void;
  /** What screens show. */
  shown(): { readonly atOnce: number; readonly why: PaceReason };
  /** Ends its timer. */
  stop(): void;
};

/**
 * @param onChange is told when more calls may be allowed, `onOpened` when nothing may be called for a while.
 * @param coolFactor shortens the breaker's waits, for tests.
 */
export function throttle(
  bound: number,
  { onChange, onOpened, coolFactor = 1 }: { onChange(): void; onOpened(): void; readonly coolFactor?: number },
  random: () => number = Math.random,
): Throttle {
  let pace: Pace = startPace(bound);
  let breaker: Breaker = CLOSED;
  let timer: NodeJS.Timeout | undefined;
  const cool = (): void => {
    if (breaker.state !== 'open') return;
    const { trip, coolMs } = breaker;
    timer = setTimeout(() => {
      if (breaker.trip === trip) breaker = cooled(breaker);
      onChange();
    }, coolMs * coolFactor);
  };
  return {
    allowed: () => allowed(breaker, pace.atOnce),
    begin: () => ({ epoch: pace.epoch, trip: breaker.trip }),
    ended: ({ epoch, trip }, result) => {
      const { outcome } = result;
      const segments = outcome === 'ok' ? result.segments : 1;
      pace = observe(pace, { outcome, latencyMs: result.latencyMs / segments, epoch });
      const retryAfterMs = outcome === 'ok' ? undefined : result.retryAfterMs;
      const after = afterCall(breaker, { outcome, trip, retryAfterMs }, random());
      const opened = after.breaker.trip !== breaker.trip && after.breaker.state === 'open';
      const closed = after.breaker.state === 'closed' && breaker.state !== 'closed';
      breaker = after.breaker;
      if (opened || closed) clearTimeout(timer);
      if (opened) {
        cool();
        onOpened();
      }
      if (closed) onChange();
      return after.pause;
    },
    setBound: (to) => {
      pace = withBound(pace, to);
      onChange();
    },
    shown: () => {
      if (breaker.state === 'closed') return { atOnce: pace.atOnce, why: pace.why };
      return {
        atOnce: allowed(breaker, pace.atOnce),
        why: breaker.state === 'open' ? 'breaker_open' : 'breaker_probe',
      };
    },
    stop: () => clearTimeout(timer),
  };
}
