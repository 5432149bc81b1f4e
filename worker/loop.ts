/** How long to wait after a poll that failed: long enough not to hammer a database that is down. */
const AFTER_ERROR_MS = 1_000;

export type LoopOptions = {
  readonly signal: AbortSignal;
  /** Told of what a poll threw; the loop goes on. */
  onError(thrown: unknown): void;
};

/**
 * Calls `poll` again and again until the signal is aborted, and then waits for the last call to end.
 * @param poll does one piece of work and returns how long to wait before the next: 0 after a full batch, its interval
 * after an empty one.
 */
export async function loop(poll: () => Promise<number>, { signal, onError }: LoopOptions): Promise<void> {
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await poll();
    } catch (thrown) {
      onError(thrown);
      waitMs = AFTER_ERROR_MS;
    }
    if (waitMs > 0) await pause(waitMs, signal);
  }
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
