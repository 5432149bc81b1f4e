import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import type { Normalised } from './answer.ts';
import type { FailureCode } from './failure.ts';

/** What an adapter makes of an envelope: the model's words in one form, read but not yet judged. */

/**
 * - `contract`: an object in the words of the policy's contract: `labels`, `label` and `evidence`, or `verdict`.
 * - `scores`: an object with `labels`, whatever the contract; a tag or a word follows from them by rule.
 */
export type Said = {
  readonly form: 'contract' | 'scores';
  readonly answer: JsonValue;
  /** Members that must have come back just so, apart from the answer's own. */
  readonly echoes: Readonly<Record<string, string>>;
  /** The format may name labels of its own, and may say null for a label it did not evaluate. */
  readonly open: boolean;
};

/** What was made of the answer to one request. */
export type Heard =
  | {
      readonly outcome: 'ok';
      readonly said: Said;
      /** As it names itself; the pinned one where the format has no place for it. */
      readonly model: string;
      /** As the service counts them; null where it does not. */
      readonly tokens: number | null;
      readonly raw: string;
      readonly normalised: readonly Normalised[];
    }
  | { readonly outcome: FailureCode; readonly tokens: number | null; readonly raw: string };

/**
 * Puts answers to several questions about one call together: each gave some of the labels.
 * @param all one or more.
 * @returns null where they are not of one form, or where a label was given twice.
 */
export function joined(all: readonly Said[]): Said | null {
  const [first, ...rest] = all;
  if (!first) return null;
  if (rest.length === 0) return first;
  const labels: { [label: string]: JsonValue } = Object.create(null);
  for (const { form, answer } of all) {
    if (form !== 'scores' || !isJsonObject(answer) || !isJsonObject(answer.labels)) return null;
    for (const [label, score] of Object.entries(answer.labels)) {
      if (label in labels) return null;
      labels[label] = score;
    }
  }
  return { ...first, answer: { labels } };
}
