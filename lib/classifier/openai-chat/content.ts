import { type JsonValue, parseJson } from '../../kernel/json.ts';
import type { Normalised } from '../answer.ts';
import type { FailureCode } from '../failure.ts';

// A fence counts only if it encloses the whole message and says json or nothing.
const WHOLE_FENCE = /^[ \t\r\n]*```(?:json)?[ \t]*\r?\n([\s\S]*)\r?\n[ \t]*```[ \t\r\n]*$/;

/**
 * Reads the message of a model as exactly one strict JSON value. Nothing is searched for and nothing repaired; only a
 * fence around all of it is taken off, and that is told.
 */
export function readJsonMessage(
  content: string,
): { readonly value: JsonValue; readonly normalised: readonly Normalised[] } | FailureCode {
  const fenced = WHOLE_FENCE.exec(content)?.[1];
  const json = parseJson(fenced ?? content);
  if (!json.ok) return json.fault === 'duplicate_key' ? 'duplicate_key' : 'invalid_json';
  return { value: json.value, normalised: fenced === undefined ? [] : ['whole_message_fence'] };
}
