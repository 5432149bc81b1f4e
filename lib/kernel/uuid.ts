const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns true for a UUID as our own rows are numbered; anything else names no row and must not reach a statement. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** @returns true where a person can only mean an id, however they write it; so nothing may be named like this. */
export function looksLikeId(text: string): boolean {
  return UUID.test(text.toLowerCase());
}
