/** Counting and cutting by code point, so that no emoji is ever split, and the characters we refuse. */

/** @returns the number of Unicode code points. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** @returns bytes of the UTF-8 form. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** @returns true where the text holds half a surrogate pair, which UTF-8 cannot carry. */
export function hasLoneSurrogate(text: string): boolean {
  return !text.isWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const C0_EXCEPT_TAB_LF_CR = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const ANY_CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** @returns true for NUL and the other C0 controls that running text may not hold; tab, LF and CR are text. */
export function hasForbiddenControl(text: string): boolean {
  return C0_EXCEPT_TAB_LF_CR.test(text);
}

/** @returns true for any C0 or C1 control or DEL: ids may hold none at all. */
export function hasAnyControl(text: string): boolean {
  return ANY_CONTROL.test(text);
}

/** @returns true for a name that fits one line: 1 to `maxBytes` bytes of UTF-8, well formed, no control character. */
export function isLine(text: string, maxBytes: number): boolean {
  const bytes = utf8Length(text);
  return bytes >= 1 && bytes <= maxBytes && !hasAnyControl(text) && !hasLoneSurrogate(text);
}

/** Compares as UTF-8 bytes, which is what `COLLATE "C"` does and what every promised order means. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
