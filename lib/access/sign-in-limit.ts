/** How often sign-in may fail: a bucket of tries per key (an address, the installation) that refills with time. */

/** Tries at once, and the time in which one comes back. */
export type Rate = { readonly tries: number; readonly refillMs: number };
/** For one address: guessing one person's password. */
export const SIGN_IN_PER_ADDRESS: Rate = { tries: 10, refillMs: 30_000 };
/** For the whole installation: trying one password on many addresses, and the half second of a core that each try costs. */
export const SIGN_IN_OVERALL: Rate = { tries: 100, refillMs: 1_000 };
/** Keys remembered at most; beyond it the oldest are forgotten, so that a flood of keys cannot fill the memory. */
export const SIGN_IN_KEYS_MAX = 10_000;

type Bucket = { tries: number; at: number };
export type SignInLimit = Map<string, Bucket>;

/**
 * Takes one try from the key's bucket.
 * @param limit the state, changed in place.
 * @param nowMs the present instant in milliseconds.
 * @returns null where the try may go on, else the milliseconds until the next may.
 */
export function takeTry(limit: SignInLimit, key: string, rate: Rate, nowMs: number): number | null {
  const before = limit.get(key);
  const refilled = before ? before.tries + Math.max(0, nowMs - before.at) / rate.refillMs : rate.tries;
  const tries = Math.min(rate.tries, refilled);
  const granted = tries >= 1;
  // Re-inserted at the end: a Map keeps insertion order, which makes the first key the one not seen for longest.
  limit.delete(key);
  limit.set(key, { tries: granted ? tries - 1 : tries, at: nowMs });
  for (const oldest of limit.keys()) {
    if (limit.size <= SIGN_IN_KEYS_MAX) break;
    limit.delete(oldest);
  }
  return granted ? null : Math.ceil((1 - tries) * rate.refillMs);
}

/** Fills the key's bucket again: whoever knows the password was not guessing it. */
export function forgetTries(limit: SignInLimit, key: string): void {
  limit.delete(key);
}
