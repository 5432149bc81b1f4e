import { condition } from './condition.ts';

/**
 * Keeps an item that once died with its worker apart from all others in this process: while its attempt is under way
 * nothing else is, so that it can take nobody along.
 */
export type Solitude = {
  /** Waits until no lonely item waits or is under way, then counts `count` attempts as under way. */
  together(count: number): Promise<void>;
  /** `count` attempts that were counted together have ended and are committed, or were never recorded. */
  ended(count: number): void;
  /** Waits until nothing is under way and holds everybody off until the function it resolves to is called. */
  alone(): Promise<() => void>;
};

export function solitude(): Solitude {
  const changed = condition();
  let underWay = 0;
  let lonely = 0;
  const ended = (count: number): void => {
    underWay -= count;
    changed.notify();
  };
  return {
    together: async (count) => {
      while (lonely > 0) await changed.wait();
      underWay += count;
    },
    ended,
    alone: async () => {
      lonely++;
      while (underWay > 0) await changed.wait();
      underWay++;
      return () => {
        lonely--;
        ended(1);
      };
    },
  };
}
