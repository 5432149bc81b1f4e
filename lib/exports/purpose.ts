import { codePointCount, hasAnyControl, hasLoneSurrogate } from '../kernel/text.ts';

/** Characters (code points) of a purpose. */
export const PURPOSE_LENGTH_MAX = 500;

/** @returns true for words that can stand in an audit event as the reason why text was read: some, one line, not too many. */
export function isPurpose(text: string): boolean {
  return (
    text.trim() !== '' && codePointCount(text) <= PURPOSE_LENGTH_MAX && !hasAnyControl(text) && !hasLoneSurrogate(text)
  );
}
