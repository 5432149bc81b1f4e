import canonicalize from 'canonicalize';
import { sha256Hex } from './hash.ts';

/**
 * The RFC 8785 (JCS) text of a JSON value: members sorted by UTF-16 code unit, numbers as ECMAScript writes them.
 * @throws on values JSON cannot carry (undefined at the top, NaN, Infinity): a bug of the caller.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('not a JSON value');
  return text;
}

/** @returns SHA-256 hex over the RFC 8785 text of `value`. */
export function canonicalSha256(value: unknown): string {
  return sha256Hex(canonicalJson(value));
}
