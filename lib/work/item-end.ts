import type { Weight } from '../classifier/answer.ts';
import type { FailureCode } from '../classifier/failure.ts';
import type { Classification } from '../policy/classification.ts';
import type { Because, Verdict } from '../policy/verdict.ts';

/** A work item that this process holds by its fence, with what it has used up. */
export type HeldItem = {
  readonly id: number;
  /** The fence: every write must still match it. */
  readonly token: string;
  readonly runId: string;
  readonly contentId: string;
  readonly revision: string;
  readonly decisionId: string;
  readonly source: string;
  readonly contentType: string;
  /** Attempts that have ended; the next one has the number after it. */
  readonly attemptCount: number;
  readonly spentCount: number;
  readonly invalidCount: number;
  readonly waitedMs: number;
  readonly callGroup: number;
  /** An attempt of it died with its worker: it is called with nothing else under way. */
  readonly alone: boolean;
};

/** What is going to be committed as the decision, with all it came from. */
export type DecisionDraft = {
  readonly textSha256: string;
  readonly inputSha256: string;
  readonly promptSha256: string;
  readonly contractVersion: string;
  readonly classifier: string;
  readonly model: string;
  /** The validated answer, as stored. */
  readonly classification: Classification;
  readonly verdict: Verdict;
  readonly because: readonly Because[];
  readonly segments: number;
  /** What was taken off the answer before it was read. */
  readonly normalised: readonly string[];
  /** The content tried to instruct the classifier. */
  readonly instructed: boolean;
};

/** How one call went, for its outcome row and its evidence. */
export type CallFacts = {
  readonly latencyMs: number | null;
  /** Units the service reports, else bytes; null where none were used. */
  readonly units: number | null;
  /** What came back, for evidence only. */
  readonly raw: string | null;
  /** What the requests weighed, and how much of that was content; null where nothing was sent. */
  readonly weight: Weight | null;
};

/**
 * How a hold on an item ends.
 * - `answer`: a valid classification.
 * - `failure`: a code; `pauses` where the run pauses because of it, so that nothing is spent.
 * - `standing`: its decision exists already, no call was made.
 * - `released`: given back unused, due after `delayMs` or at once; a start that was recorded ends as `released` and
 *   spends nothing.
 */
export type ItemEnd =
  | { readonly kind: 'answer'; readonly draft: DecisionDraft; readonly call: CallFacts }
  | {
      readonly kind: 'failure';
      readonly code: FailureCode | 'withdrawn';
      readonly retryAfterMs: number | null;
      readonly pauses: boolean;
      /** The fault would pause the run, but follows this item while others are answered: the item ends, the run goes on. */
      readonly isOwn?: boolean;
      readonly call: CallFacts | null;
    }
  | { readonly kind: 'standing' }
  | { readonly kind: 'released'; readonly delayMs?: number };

export type ItemResult = {
  readonly id: number;
  readonly token: string;
  /** The number of the attempt that was recorded for this hold, or null where none was. */
  readonly attempt: number | null;
  readonly end: ItemEnd;
  /**
   * The item as it was leased. Under its fence nobody changes what stands there, so that nothing of it need be read
   * again, and its content can be locked together with it.
   */
  readonly about?: HeldItem;
};

/** @returns the text as PostgreSQL can keep it: NUL and lone surrogates, which it refuses, become U+FFFD. */
export function storable(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\0', '\ufffd');
}
