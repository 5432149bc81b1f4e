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
  const reader: Reader = { text, at: 0 };
  try {
    const value = readValue(reader, 1);
    if (reader.at !== text.length) fail(reader);
    return { ok: true, value };
  } catch (thrown) {
    if (thrown instanceof Fault) return { ok: false, fault: thrown.fault, at: thrown.at };
    throw thrown;
  }
}

/** Where reading stands. Plain functions over it: a closure for each text costs more than most texts. */
type Reader = { readonly text: string; at: number };

function fail(reader: Reader, fault: JsonFault = 'invalid_json'): never {
  throw new Fault(fault, reader.at);
}

function skipWhite(reader: Reader): void {
  for (; reader.at < reader.text.length; reader.at++) {
    const unit = reader.text.charCodeAt(reader.at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
  }
}

function match(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (!found) return null;
  reader.at = pattern.lastIndex;
  return found[0];
}

function readValue(reader: Reader, depth: number): JsonValue {
  skipWhite(reader);
  const value = readBare(reader, depth);
  skipWhite(reader);
  return value;
}

function readBare(reader: Reader, depth: number): JsonValue {
  switch (reader.text[reader.at]) {
    case '{':
      return depth > JSON_DEPTH_MAX ? fail(reader, 'too_deep') : readObject(reader, depth + 1);
    case '[':
      return depth > JSON_DEPTH_MAX ? fail(reader, 'too_deep') : readArray(reader, depth + 1);
    case '"':
      return readString(reader);
    case 't':
      return readLiteral(reader, 'true', true);
    case 'f':
      return readLiteral(reader, 'false', false);
    case 'n':
      return readLiteral(reader, 'null', null);
    default: {
      const digits = match(reader, NUMBER);
      return digits === null || digits === '' ? fail(reader) : new JsonNumber(digits);
    }
  }
}

function readLiteral<T extends null | boolean>(reader: Reader, word: string, value: T): T {
  if (!reader.text.startsWith(word, reader.at)) return fail(reader);
  reader.at += word.length;
  return value;
}

function readString(reader: Reader): string {
  const plain = match(reader, PLAIN_STRING);
  if (plain !== null) return plain.slice(1, -1);
  const escaped = match(reader, ANY_STRING);
  return escaped === null ? fail(reader) : (JSON.parse(escaped) as string);
}

function readObject(reader: Reader, depth: number): JsonValue {
  const object: { [key: string]: JsonValue } = Object.create(null);
  reader.at++;
  skipWhite(reader);
  if (reader.text[reader.at] === '}') {
    reader.at++;
    return object;
  }
  for (;;) {
    skipWhite(reader);
    const start = reader.at;
    const key = readString(reader);
    if (key in object) {
      reader.at = start;
      fail(reader, 'duplicate_key');
    }
    skipWhite(reader);
    if (reader.text[reader.at] !== ':') fail(reader);
    reader.at++;
    object[key] = readValue(reader, depth);
    if (readEnd(reader, '}')) return object;
  }
}

function readArray(reader: Reader, depth: number): JsonValue {
  const array: JsonValue[] = [];
  reader.at++;
  skipWhite(reader);
  if (reader.text[reader.at] === ']') {
    reader.at++;
    return array;
  }
  for (;;) {
    array.push(readValue(reader, depth));
    if (readEnd(reader, ']')) return array;
  }
}

/** @returns true at the closing bracket, false at a comma. */
function readEnd(reader: Reader, close: '}' | ']'): boolean {
  const end = reader.text[reader.at];
  if (end !== close && end !== ',') fail(reader);
  reader.at++;
  return end === close;
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
