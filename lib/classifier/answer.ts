import type { Classification } from '../policy/classification.ts';
import type { Circumstances } from '../policy/derive.ts';
import type { PolicyDocument } from '../policy/document.ts';
import type { FailureCode } from './failure.ts';

/** What goes to a classifier and what comes back. Text travels in `input` only; everything else is ours. */

/** Everything of a revision that is shown to a classifier; absent members are left out. */
export type CallInput = {
  readonly text: string;
  readonly title?: string | undefined;
  readonly author_name?: string | undefined;
  readonly parent_text?: string | undefined;
};

/** One revision to be classified under one policy version. */
export type ContentCall = {
  readonly decisionId: string;
  readonly contentId: string;
  readonly revision: string;
  /** `slug@n`. */
  readonly policyVersion: string;
  /** Rises after a complete but invalid answer and on requeue, so that the service answers anew. */
  readonly callGroup: number;
  readonly document: PolicyDocument;
  readonly input: CallInput;
};

/** One request: a whole revision or one segment of it. */
export type Call = Omit<ContentCall, 'callGroup'> & {
  /** `decision_id:g:s`; the same key always carries the same bytes. */
  readonly idempotencyKey: string;
  /** Must come back with the answer; content cannot guess it. */
  readonly nonce: string;
};

/** What was taken off an answer before it was read. */
export type Normalised = 'whole_message_fence' | 'leading_think_block';

export type CallAnswer = {
  readonly outcome: 'ok';
  /**
   * In the shape of the policy's contract: of scores exactly the policy's labels; offsets of a passage count from the
   * start of this call's text.
   */
  readonly classification: Classification;
  /** Labels the classifier knows and the policy does not name: kept and shown, without effect. */
  readonly otherScores: Readonly<Record<string, number | null>>;
  /** The model that answered, as it names itself. */
  readonly model: string;
  /** Tokens the service reports, else request bytes. */
  readonly units: number;
  /** The answer as it came, at most RAW_MAX_BYTES; for evidence only. */
  readonly raw: string;
  readonly latencyMs: number;
  readonly normalised: readonly Normalised[];
  readonly weight: Weight;
};

/** What a request weighs in bytes; what is not content is instructions and context. */
export type Weight = { readonly requestBytes: number; readonly contentBytes: number };

export type CallFailure = {
  readonly outcome: FailureCode;
  /** When the service asked to be left alone, from now. */
  readonly retryAfterMs?: number;
  /** What came instead of an answer, at most RAW_MAX_BYTES; for evidence only, never for a log. */
  readonly raw?: string;
  readonly units?: number;
  readonly latencyMs: number;
  /** Absent where nothing was sent. */
  readonly weight?: Weight;
};

export type CallResult = CallAnswer | CallFailure;

/**
 * An answer for a whole revision: put together from so many segments, with what else counts for the verdict. Offsets of
 * a passage count from the start of the whole text.
 */
export type WholeAnswer = CallAnswer & { readonly segments: number } & Circumstances;
export type WholeResult = WholeAnswer | CallFailure;

/** One place to ask, ready to be called. */
export type Classifier = {
  /** As the operator calls it; `builtin` is always there. */
  readonly name: string;
  readonly adapter: PolicyDocument['classifier']['adapter'];
  /** The models it serves; a policy pins one. */
  readonly models: readonly [string, ...string[]];
  /** Calls at once, unless the run says otherwise. */
  readonly concurrency: number;
  readonly deadlineMs: number;
  /**
   * Asks once; the only retry layer is the worker's. Failures are values. Aborting `signal` gives up the call
   * (`outcome_unknown` where it may have been received). Throws on bugs only, and never with content in the message.
   */
  classify(call: Call, signal: AbortSignal): Promise<CallResult>;
  /** Ends connections that are kept alive. */
  close(): Promise<void>;
};

/** Evidence kept of one call, in bytes of UTF-8. */
export const RAW_MAX_BYTES = 64 * 1024;

/** @returns the key under which a service may recognise a repeat: `decision_id:g:s`. */
export function idempotencyKey(decisionId: string, callGroup: number, segment: number): string {
  return `${decisionId}:${callGroup}:${segment}`;
}

/** @returns true where there is nothing to classify, so that no attempt and no call is made: no text and no title. */
export function nothingToClassify(input: {
  readonly text: string;
  readonly title?: string | null | undefined;
}): boolean {
  return input.text === '' && (input.title ?? '') === '';
}
