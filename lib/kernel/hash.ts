import { createHash } from 'node:crypto';

/**
 * SHA-256 in lower-case hex.
 * @param data bytes, or a string that is hashed as its UTF-8 bytes exactly as given: no trim, no normalising.
 */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
