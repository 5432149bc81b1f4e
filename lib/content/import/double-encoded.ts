import { isUtf8 } from 'node:buffer';

const TRACE = /[\u00c2-\u00f4][\u0080-\u00bf]/;

/**
 * Recognises text whose UTF-8 bytes were taken for Latin-1 letters, as some platforms export it. It is imported as it
 * is, for the hash is over what was given; the operator gets to know how many there are.
 */
export function looksDoubleEncoded(text: string): boolean {
  if (!TRACE.test(text)) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return isUtf8(Buffer.from(text, 'latin1'));
}
