const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/**
 * One press of Ctrl-C or one stop by a supervisor can arrive twice: sent to the whole process group (or control group),
 * and passed on by the starter. So a signal counts as a second one only this long after the first.
 */
const SAME_PRESS_MS = 500;

/**
 * Listens for the signals that ask this process to stop, as long as it lives.
 * @param first is called once, at the first signal.
 * @param again is called at each signal that comes later than the same press would.
 */
export function onStopSignals(first: () => void, again: () => void): void {
  let firstAt: number | null = null;
  const listener = (): void => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      first();
    } else if (now - firstAt > SAME_PRESS_MS) {
      again();
    }
  };
  for (const signal of SIGNALS) process.on(signal, listener);
}
