/** Something to wait for: everybody who waits is woken at the next notice and looks again for himself. */
export type Condition = { wait(): Promise<void>; notify(): void };

/** @returns a condition that nobody has waited for yet. */
export function condition(): Condition {
  let waiting: (() => void)[] = [];
  return {
    wait: () => new Promise((resolve) => waiting.push(resolve)),
    notify: () => {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
