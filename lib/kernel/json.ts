/**
 * A strict JSON reader (RFC 8259 and nothing else) for everything that comes from outside: import rows, API bodies,
 * classifier answers. JSON.parse silently keeps the last of two equal keys and rounds numbers beyond 2^53; here a
 * repeated key is refused at every level and every number keeps the digits it was written with.
 */

/** A number as written. `value` is what JavaScript reads it as. */
export class JsonNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
  get value(): number {
    return Number(this.source);
  }
}

export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | { [key: string]: JsonValue };
export type JsonFault = 'invalid_json' | 'duplicate_key' | 'too_deep';
export type JsonResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: JsonFault; readonly at: number };

/** Levels of nesting; deeper input is refused before it can exhaust the stack. */
export const JSON_DEPTH_MAX = 64;

const WHITE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids raw controls inside strings
const PLAIN_STRING = /"[^"\\\u0000-\u001f]*"/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 8259 forbids raw controls inside strings
const ANY_STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

class Fault extends Error {
  readonly fault: JsonFault;
  readonly at: number;
  constructor(fault: JsonFault, at: number) {
    super(fault);
    this.fault = fault;
    this.at = at;
  }
}

/**
 * Reads exactly one JSON value that fills the whole text.
 * @param text without a byte order mark; strings may hold lone surrogates by escape (judge them where it matters).
 * @returns the value, objects without prototype; or the first fault and its offset in UTF-16 units. Never the text.
 */
export function parseJson(text: string): JsonResult {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return null;
    at = pattern.lastIndex;
    return found[0];
  };
  const fail = (fault: JsonFault = 'invalid_json'): never => {
    throw new Fault(fault, at);
  };
  const readString = (): string => {
    const plain = match(PLAIN_STRING);
    if (plain !== null) return plain.slice(1, -1);
    const escaped = match(ANY_STRING);
    return escaped === null ? fail() : (JSON.parse(escaped) as string);
  };
  const readLiteral = <T extends null | boolean>(word: string, value: T): T => {
    if (!text.startsWith(word, at)) return fail();
    at += word.length;
    return value;
  };
  const readObject = (depth: number): JsonValue => {
    const object: { [key: string]: JsonValue } = Object.create(null);
    at++;
    match(WHITE);
    if (text[at] === '}') {
      at++;
      return object;
    }
    for (;;) {
      match(WHITE);
      const start = at;
      const key = readString();
      if (key in object) {
        at = start;
        fail('duplicate_key');
      }
      match(WHITE);
      if (text[at] !== ':') fail();
      at++;
      object[key] = readValue(depth);
      const end = text[at++];
      if (end === '}') return object;
      if (end !== ',') {
        at--;
        fail();
      }
    }
  };
  const readArray = (depth: number): JsonValue => {
    const array: JsonValue[] = [];
    at++;
    match(WHITE);
    if (text[at] === ']') {
      at++;
      return array;
    }
    for (;;) {
      array.push(readValue(depth));
      const end = text[at++];
      if (end === ']') return array;
      if (end !== ',') {
        at--;
        fail();
      }
    }
  };
  const readBare = (depth: number): JsonValue => {
    switch (text[at]) {
      case '{':
        return depth > JSON_DEPTH_MAX ? fail('too_deep') : readObject(depth + 1);
      case '[':
        return depth > JSON_DEPTH_MAX ? fail('too_deep') : readArray(depth + 1);
      case '"':
        return readString();
      case 't':
        return readLiteral('true', true);
      case 'f':
        return readLiteral('false', false);
      case 'n':
        return readLiteral('null', null);
      default: {
        const digits = match(NUMBER);
        return digits === null || digits === '' ? fail() : new JsonNumber(digits);
      }
    }
  };
  const readValue = (depth: number): JsonValue => {
    match(WHITE);
    const value = readBare(depth);
    match(WHITE);
    return value;
  };
  try {
    const value = readValue(1);
    if (at !== text.length) fail();
    return { ok: true, value };
  } catch (thrown) {
    if (thrown instanceof Fault) return { ok: false, fault: thrown.fault, at: thrown.at };
    throw thrown;
  }
}

/** @returns true for an object of parseJson (not an array, null or number). */
export function isJsonObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** @returns the value with every number as JavaScript reads it, ready for a zod schema. */
export function plainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.value;
  if (Array.isArray(value)) return value.map(plainJson);
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainJson(inner)]));
  return value;
}
