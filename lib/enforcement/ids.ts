const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @returns true for a UUID as our own rows are numbered; anything else names no row and must not reach a statement. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
