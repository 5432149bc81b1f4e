import { hash } from 'node:crypto';

/**
 * SHA-256 in lower-case hex.
 * @param data bytes, or a string that is hashed as its UTF-8 bytes exactly as given: no trim, no normalising.
 */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
