import type { Ok, Refused } from '@/lib/kernel/result.ts';

/** What a page needs to know of a claim. Times go out as time left: a browser's clock may be anything. */
export type ClaimJson = { readonly caseId: string; readonly token: string; readonly expiresInMs: number };

type ClaimLike = { readonly caseId: string; readonly token: string; readonly expiresAt: Date };

/** @returns the result of an act that gives a claim, for the browser. */
export function claimJson<R extends string>(result: Ok<ClaimLike> | Refused<R>): Ok<ClaimJson> | Refused<R> {
  if (!result.ok) return result;
  const { caseId, token, expiresAt } = result.value;
  return { ok: true, value: { caseId, token, expiresInMs: msUntil(expiresAt) } };
}

/** @returns milliseconds until an instant, 0 where it has passed. */
export function msUntil(at: Date): number {
  return Math.max(0, at.getTime() - Date.now());
}
