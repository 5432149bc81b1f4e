import { isJsonObject, JsonNumber, type JsonValue } from '../../../kernel/json.ts';

/** The probability of one of two first words, read from the tokens a service lists. */

/** Tokens listed for each place; the two words are among the first few, or the answer was neither. */
export const TOP_LOGPROBS = 10;

/** @returns the members of a request that ask for the tokens of the answer. */
export function askTokens(): object {
  return { logprobs: true, top_logprobs: TOP_LOGPROBS };
}

/**
 * Reads how probable `yes` is against `no` on the first token that is not white space.
 * @param logprobs of the choice.
 * @param said which of the two the text begins with; the tokens must agree.
 * @returns from 0 to 1: the share of `yes` of both; where only one is listed, what it leaves is the other's. Null where
 * the tokens cannot be read or say something else.
 */
export function probabilityOf(
  yes: string,
  no: string,
  said: string,
  logprobs: JsonValue | undefined,
): JsonNumber | null {
  const content = isJsonObject(logprobs) ? logprobs.content : undefined;
  if (!Array.isArray(content)) return null;
  const first = content.find(
    (each) => isJsonObject(each) && typeof each.token === 'string' && each.token.trim() !== '',
  );
  if (!isJsonObject(first) || typeof first.token !== 'string' || first.token.trim() !== said) return null;
  const listed = Array.isArray(first.top_logprobs) ? [first, ...first.top_logprobs] : [first];
  const weights = new Map<string, number>();
  for (const each of listed) {
    if (!isJsonObject(each) || typeof each.token !== 'string' || !(each.logprob instanceof JsonNumber)) return null;
    const { value } = each.logprob;
    if (!(value <= 0)) return null;
    const word = each.token.trim();
    weights.set(word, Math.max(weights.get(word) ?? 0, Math.exp(value)));
  }
  const [p, q] = [weights.get(yes), weights.get(no)];
  if (p !== undefined && q !== undefined) return p + q > 0 ? number(rounded(p / (p + q))) : null;
  return p !== undefined ? number(rounded(p)) : q !== undefined ? number(rounded(1 - q)) : null;
}

/** Services compute in single precision; further digits are noise that would differ from call to call. */
function rounded(probability: number): number {
  return Math.round(probability * 1e6) / 1e6;
}

/** @returns a number as an answer would hold it. */
export function number(value: number): JsonNumber {
  return new JsonNumber(String(value));
}
