import { foldLookAlikes, readLeet, undisguise } from './builtin/normalise.ts';

/** How a text is read when signs of an instruction are looked for; every step is linear in its length. */
export type Reading = {
  /** As it stands, without what is invisible; case and lines are kept. */
  readonly cased: string;
  /** Lower case in its own script. */
  readonly wide: string;
  /** Lower case without accents, look-alikes folded, white space and underscores as one space. */
  readonly latin: string;
};

/** A run of marks that no script needs; a normaliser takes quadratic time over a long one. */
const MANY_MARKS = /(\p{M}{8})\p{M}+/gu;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const WORD = /[\p{L}\p{N}@$|]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
/** Where a letter may be another's look-alike, or a sign stand for one. */
const FOLDABLE = /[^\0-\x7f]|[013457@$]/;
const LEET_WORD = /^(?=.*[a-z])(?=.*[013457@$])[a-z0-9@$|]+$/;

/** @returns the text as rules read it; any string is accepted. */
export function readingOf(text: string): Reading {
  // Most texts are plain letters: nothing in them is invisible, composed, alike or a sign for another letter.
  const ascii = !BEYOND_ASCII.test(text);
  const cased = ascii ? text : text.replace(MANY_MARKS, '$1').replace(INVISIBLE, '').normalize('NFKC');
  const bare = undisguise(cased).toLowerCase();
  const words = !FOLDABLE.test(bare) ? bare : bare.replace(WORD, (word) => unleet(foldLookAlikes(word)));
  return { cased, wide: cased.toLowerCase(), latin: words.replace(/[\s_]+/g, ' ') };
}

/** `1gnore`, but not `mp3` and not `2nd`: a sign stands for a letter only in a word that has more letters than signs. */
function unleet(word: string): string {
  if (word.length < 5 || !LEET_WORD.test(word)) return word;
  const letters = word.replace(/[^a-z]/g, '').length;
  return letters * 2 > word.length ? readLeet(word) : word;
}

/** @returns an id or name as a sentence: it has signs where a sentence has spaces. */
export function asWords(name: string): string {
  return name.replace(/[-_.:/+|~]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
}

/** Text in base64 that is looked into, in characters of the code; the shortest sentence and no more than a comment. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4000}={0,2}/g;
const BASE64_MAX = 16;

/** @returns what stands in base64, where it is readable text. */
export function decoded(text: string): string[] {
  if (text.length < 24) return [];
  return (text.match(BASE64) ?? []).slice(0, BASE64_MAX).flatMap((code) => {
    const plain = fromBase64(code);
    return plain !== null && /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]{12,}$/u.test(plain) && plain.includes(' ') ? [plain] : [];
  });
}

function fromBase64(code: string): string | null {
  try {
    const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** Characters of the tag block outside a flag (🏴 and its tags): nobody sees them, and a model reads them. */
const TAGS = /[\u{e0000}-\u{e007f}]/u;
const FLAGS = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu;
/** So many selectors in a row select nothing: they carry bytes. */
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4}/u;
/** A row of characters without width that is no joint of letters or emoji. */
const ZERO_WIDTHS = /[\u200b-\u200d\u2060-\u2064\ufeff\u180e]{6}/u;
/** A Latin word that is taken apart where nobody sees it. */
const SPLIT_WORD = /(?:[A-Za-z][\u200b-\u200d\u2060-\u2064\ufeff]){3}[A-Za-z]/;

/** @returns true where characters that nobody sees hide something. A joint in an emoji, a flag, a mark of direction and a BOM do not. */
export function hides(text: string): boolean {
  return TAGS.test(text.replace(FLAGS, '')) || SELECTORS.test(text) || ZERO_WIDTHS.test(text) || SPLIT_WORD.test(text);
}
