/** How a content id stands in an address: plain where no server, proxy or browser could change it, else encoded. */

const PLAIN = /^[A-Za-z0-9._:-]{1,200}$/;
const ENCODED = /^~[A-Za-z0-9_-]+$/;
/** Bytes of a content id at most. */
const ID_BYTES_MAX = 512;

/** @returns the address of the content's page: `/content/ID`, or `/content/~BASE64URL` of the id's UTF-8 bytes. */
export function contentPath(contentId: string): string {
  return `/content/${isPlain(contentId) ? contentId : `~${encode(contentId)}`}`;
}

/**
 * @param segment the part of the address after `/content/`, percent-decoded once or not at all.
 * @returns the content id, or null where the segment is neither a plain nor an encoded id.
 */
export function contentIdFromPath(segment: string): string | null {
  const decoded = percentDecode(segment);
  if (decoded === null) return null;
  if (isPlain(decoded)) return decoded;
  return ENCODED.test(decoded) ? decode(decoded.slice(1)) : null;
}

function isPlain(id: string): boolean {
  return PLAIN.test(id) && id !== '.' && id !== '..';
}

function percentDecode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function encode(id: string): string {
  const binary = Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decode(base64url: string): string | null {
  try {
    const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    if (bytes.length === 0 || bytes.length > ID_BYTES_MAX) return null;
    const id = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // No id holds a control character, and PostgreSQL cannot even be asked for a NUL.
    return /\p{Cc}/u.test(id) ? null : id;
  } catch {
    return null;
  }
}
