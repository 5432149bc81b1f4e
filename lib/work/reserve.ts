import type { CallInput } from '../classifier/answer.ts';
import { SEGMENT_CODE_POINTS } from '../classifier/segments.ts';
import { ratioOf, reserveUnits } from './estimate.ts';
import type { ItemResult } from './item-end.ts';

/** What the answers of a run have used so far, as far as one process has seen them. */
export type Measured = {
  readonly units: number;
  readonly requestBytes: number;
  readonly contentBytes: number;
  /** Requests; an answer for a long text takes several. */
  readonly requests: number;
};

export const NOTHING_MEASURED: Measured = { units: 0, requestBytes: 0, contentBytes: 0, requests: 0 };

/** Takes the answers among these results into account; a failure may have been cut short and measures nothing. */
export function measure(before: Measured, results: readonly ItemResult[]): Measured {
  let { units, requestBytes, contentBytes, requests } = before;
  for (const { end } of results) {
    if (end.kind !== 'answer' || end.call.weight === null || end.call.units === null) continue;
    units += end.call.units;
    requestBytes += end.call.weight.requestBytes;
    contentBytes += end.call.weight.contentBytes;
    requests += end.draft.segments;
  }
  return { units, requestBytes, contentBytes, requests };
}

/**
 * @param input what is shown; a member that is null is absent.
 * @param policyBytes of the policy document: what a request carries besides content, before anything is measured.
 * @returns units to set aside for one attempt on it.
 */
export function reservation(
  input: { readonly [name in keyof CallInput]?: CallInput[name] | null },
  measured: Measured,
  policyBytes: number,
): number {
  const shown = Object.values(input).filter((text): text is string => typeof text === 'string');
  const contentBytes = shown.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // Every member is cut by itself, and there are as many requests as the longest needs.
  const requests = Math.max(1, ...shown.map((text) => Math.ceil(text.length / SEGMENT_CODE_POINTS)));
  const perRequest =
    measured.requests > 0
      ? Math.max(0, measured.requestBytes - measured.contentBytes) / measured.requests
      : policyBytes;
  return reserveUnits({ contentBytes, overheadBytes: perRequest * requests, ratio: ratioOf(measured) });
}
