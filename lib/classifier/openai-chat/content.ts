import { isJsonObject, JsonNumber, type JsonValue, parseJson } from '../../kernel/json.ts';
import type { Normalised } from '../answer.ts';
import type { FailureCode } from '../failure.ts';
import { withoutThinking } from '../raw.ts';

export type ReadContent =
  | { readonly outcome: 'ok'; readonly scores: Record<string, number>; readonly normalised: readonly Normalised[] }
  | { readonly outcome: FailureCode };
export type Expected = { readonly nonce: string; readonly labels: readonly string[]; readonly stripThink: boolean };

// A fence counts only if it encloses the whole message and says json or nothing.
const WHOLE_FENCE = /^[ \t\r\n]*```(?:json)?[ \t]*\r?\n([\s\S]*)\r?\n[ \t]*```[ \t\r\n]*$/;

/**
 * Reads the message of a model: exactly one JSON object `{nonce, labels}` with exactly the labels of the policy, each a
 * JSON number from 0 to 1. Nothing is searched for, repaired, trimmed, coerced or clamped.
 */
export function readContent(content: string, expected: Expected): ReadContent {
  const normalised: Normalised[] = [];
  let text = content;
  if (expected.stripThink) {
    const { rest, thought } = withoutThinking(text);
    text = rest;
    if (thought) normalised.push('leading_think_block');
  }
  if (text.trim() === '') return { outcome: 'empty_output' };
  const fenced = WHOLE_FENCE.exec(text)?.[1];
  if (fenced !== undefined) {
    text = fenced;
    normalised.push('whole_message_fence');
  }
  const json = parseJson(text);
  if (!json.ok) return { outcome: json.fault === 'duplicate_key' ? 'duplicate_key' : 'invalid_json' };
  const read = readAnswer(json.value, expected);
  return read.outcome === 'ok' ? { ...read, normalised } : read;
}

function readAnswer(
  value: JsonValue,
  { nonce, labels }: Expected,
): { outcome: 'ok'; scores: Record<string, number> } | { outcome: FailureCode } {
  if (!isJsonObject(value)) return { outcome: 'schema_mismatch' };
  // The nonce first: an answer to something else says nothing about this item, well formed or not.
  if (value.nonce !== nonce) return { outcome: 'item_mismatch' };
  if (Object.keys(value).length !== 2 || !isJsonObject(value.labels)) return { outcome: 'schema_mismatch' };
  const given = value.labels;
  if (Object.keys(given).some((name) => !labels.includes(name))) return { outcome: 'unknown_label' };
  const scores: [string, number][] = [];
  for (const name of labels) {
    const score = given[name];
    if (!(score instanceof JsonNumber) || !(score.value >= 0 && score.value <= 1))
      return { outcome: 'schema_mismatch' };
    // -0 is a number from 0 to 1 that prints as 0 and must hash as 0.
    scores.push([name, score.value === 0 ? 0 : score.value]);
  }
  return { outcome: 'ok', scores: Object.fromEntries(scores) };
}
