import type { Classifier, ContentCall, WholeResult } from '../classifier/answer.ts';
import { consequence, type FailureCode } from '../classifier/failure.ts';
import { classifyWhole } from '../classifier/whole.ts';
import type { ImportRow } from '../content/import/row.ts';
import { decisionId } from '../kernel/keys.ts';
import type { PolicyDocument } from '../policy/schema.ts';

/** Asks a classifier about many texts, each once and beside any run: nothing is stored and nothing is tried again. */

export type Asking = {
  readonly classifier: Classifier;
  /** Calls at once. */
  readonly concurrency: number;
  /** Of this asking alone, so that no answer to it is taken for one to a run. */
  readonly secret: string;
  readonly signal: AbortSignal;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
  /**
   * Waited for after every answer. A classifier in this process waits for nothing else: without a turn for others no
   * Ctrl-C would be heard.
   */
  readonly turn: () => Promise<void>;
  /** Told after every answer how many there are. */
  readonly onAnswer?: (done: number) => void;
};

export type Answered = { readonly result: WholeResult; readonly latencyMs: number };
export type AskedAll = {
  /** In the order of the calls; shorter than they are where asking stopped. */
  readonly answers: readonly Answered[];
  readonly elapsedMs: number;
  /** Why asking stopped: what would be the same for every further call, such as a wrong key. */
  readonly stopped: FailureCode | null;
};

/**
 * Asks all calls, in their order, so many at once.
 * @throws where the signal was raised.
 */
export async function askAll(calls: readonly ContentCall[], asking: Asking): Promise<AskedAll> {
  const { classifier, concurrency, secret, signal, clock, turn, onAnswer } = asking;
  const answers: Answered[] = [];
  let next = 0;
  let done = 0;
  let stopped: FailureCode | null = null;
  const started = clock();
  const lane = async (): Promise<void> => {
    while (stopped === null && next < calls.length) {
      signal.throwIfAborted();
      const at = next++;
      const call = calls[at];
      if (!call) return;
      const from = clock();
      const result = await classifyWhole(classifier, call, { secret, signal });
      signal.throwIfAborted();
      answers[at] = { result, latencyMs: clock() - from };
      if (result.outcome !== 'ok' && consequence(result.outcome).follows === 'pause') stopped ??= result.outcome;
      onAnswer?.(++done);
      await turn();
    }
  };
  const lanes = Math.max(1, Math.min(concurrency, calls.length));
  await Promise.all(Array.from({ length: lanes }, lane));
  return { answers: answers.filter((answer) => answer !== undefined), elapsedMs: clock() - started, stopped };
}

/**
 * @param callGroup of this asking: part of the key under which a service may know a call again.
 * @returns the call for a row of gold, under its true decision id.
 */
export function callOf(
  row: ImportRow,
  policy: { readonly policyVersion: string; readonly document: PolicyDocument },
  callGroup: number,
): ContentCall {
  const { contentId, revision, text, title, authorName, parentText } = row;
  return {
    decisionId: decisionId(contentId, revision, policy.policyVersion),
    contentId,
    revision,
    policyVersion: policy.policyVersion,
    callGroup,
    document: policy.document,
    input: {
      text,
      ...(title !== null && { title }),
      ...(authorName !== null && { author_name: authorName }),
      ...(parentText !== null && { parent_text: parentText }),
    },
  };
}
