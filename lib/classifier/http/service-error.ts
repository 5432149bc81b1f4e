import { isJsonObject, JsonNumber, type JsonValue, parseJson } from '../../kernel/json.ts';
import type { FailureCode } from '../failure.ts';

/** What an error of a service means for an item and its run. The words of a service are read here and go no further. */

const QUOTA = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'quota_exceeded', 'billing_not_active']);
const FILTERED = new Set(['content_filter', 'content_policy_violation', 'responsibleaipolicyviolation']);
const TOO_LARGE = new Set([
  'context_length_exceeded',
  'string_above_max_length',
  'request_too_large',
  // Text Embeddings Inference: the text does not go into the model's window, and we do not let it be cut.
  'tokenizer',
]);
const LIMITED = new Set(['rate_limit_error', 'rate_limit_exceeded', 'rate_limited', 'too_many_requests', 'throttled']);
const MISCONFIGURED = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'invalid_api_key',
  'model_not_found',
  'billing_error',
]);

/**
 * Judges an answer with a status other than 200. The error's own code goes before the status: a 429 may mean "slow
 * down" or "no money left", a 400 "your filterable content" or "your wrong settings".
 * @param body as text; anything, JSON or not.
 */
export function statusFailure(status: number, body: string): FailureCode {
  const said = parseJson(body);
  const words = said.ok ? errorWords(said.value) : new Set<string>();
  return failureOfStatus(status, words);
}

function failureOfStatus(status: number, words: ReadonlySet<string>): FailureCode {
  if (status >= 500) return 'overloaded';
  if (status === 429) return meets(words, QUOTA) ? 'quota_exhausted' : 'rate_limited';
  if (status === 402) return 'quota_exhausted';
  if (status === 400 || status === 403 || status === 422) {
    if (meets(words, FILTERED)) return 'provider_filtered_input';
    if (meets(words, QUOTA)) return 'quota_exhausted';
    return meets(words, TOO_LARGE) ? 'content_too_large' : 'config_error';
  }
  if (status === 413) return 'content_too_large';
  // What a model cannot make of this very text (a failed dependency of the server) says nothing about the next one.
  if (status === 424) return 'overloaded';
  if (status === 408) return 'timeout';
  // Another request under the same key is still on its way (409), or the service asks to come again (425).
  if (status === 409 || status === 425) return 'overloaded';
  return status >= 400 ? 'config_error' : 'bad_upstream';
}

/**
 * Judges a body that came with status 200 and holds an error. It is never an answer; what is plainly a matter of
 * money, settings, rate or content is called so, everything else is a broken service.
 * @returns null where the body is no error envelope.
 */
export function envelopeFailure(value: JsonValue): FailureCode | null {
  if (!isJsonObject(value) || !('error' in value) || value.error === null || value.error === false) return null;
  const words = errorWords(value);
  const status = statusIn(value.error);
  if (status !== null && status >= 400 && status < 500) return failureOfStatus(status, words);
  if (meets(words, FILTERED)) return 'provider_filtered_input';
  if (meets(words, QUOTA)) return 'quota_exhausted';
  if (meets(words, TOO_LARGE)) return 'content_too_large';
  if (meets(words, LIMITED)) return 'rate_limited';
  return meets(words, MISCONFIGURED) ? 'config_error' : 'bad_upstream';
}

/** Some gateways put the HTTP status where others put a word. */
function statusIn(error: JsonValue | undefined): number | null {
  const code = isJsonObject(error) ? (error.code ?? error.status) : null;
  return code instanceof JsonNumber && Number.isInteger(code.value) ? code.value : null;
}

/** The codes and types of an error and of the error inside it, in lower case. */
function errorWords(value: JsonValue): Set<string> {
  const words = new Set<string>();
  const outer = isJsonObject(value) ? (value.error ?? value) : value;
  if (isJsonObject(value) && typeof value.error_type === 'string') words.add(value.error_type.toLowerCase());
  if (typeof outer === 'string') words.add(outer.toLowerCase());
  if (!isJsonObject(outer)) return words;
  for (const error of [outer, outer.innererror]) {
    if (!isJsonObject(error)) continue;
    for (const word of [error.code, error.type]) if (typeof word === 'string') words.add(word.toLowerCase());
  }
  return words;
}

function meets(words: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
  return [...words].some((word) => known.has(word));
}
