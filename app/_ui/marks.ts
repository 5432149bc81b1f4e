/**
 * Finding the characters that a reader cannot see and that change what a text seems to say. What belongs to writing
 * itself stays unmarked: joiners inside emoji and in scripts that need them, variation selectors, tabs and line breaks.
 */

export type Piece = { readonly kind: 'text'; readonly text: string } | Unseen;
export type Unseen = { readonly kind: 'unseen'; readonly text: string; readonly name: string; readonly turns: boolean };

const NAMES: Readonly<Record<number, string>> = {
  173: 'SHY',
  847: 'CGJ',
  1564: 'ALM',
  4447: 'HANGUL FILLER',
  4448: 'HANGUL FILLER',
  6068: 'KHMER VOWEL',
  6069: 'KHMER VOWEL',
  6158: 'MVS',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'LINE SEP',
  8233: 'PARA SEP',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'WJ',
  8289: 'FN APPLY',
  8290: 'INV TIMES',
  8291: 'INV SEP',
  8292: 'INV PLUS',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  10240: 'BRAILLE BLANK',
  12644: 'HANGUL FILLER',
  65279: 'BOM',
  65440: 'HANGUL FILLER',
};

/** Characters that turn the direction of what follows. */
const TURNS = new Set([1564, 8206, 8207, 8234, 8235, 8236, 8237, 8238, 8294, 8295, 8296, 8297]);

/** Controls and format characters, line separators, a joiner without a shape, and letters that are blank. */
const CANDIDATE = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|\u3164|\uffa0/gu;
/** Format characters that can be seen or that only arrange letters: tab and line ends, Arabic number signs, hieroglyphs. */
const SEEN = /[\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;

/** Scripts in which ZWJ and ZWNJ shape letters. */
const SHAPING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?$/u;
const EMOJI_AFTER = /^(?:\p{Extended_Pictographic}|[\u2640\u2642])/u;
/** The black flag and the tags after it make the flags of England, Scotland and Wales. */
const TAG_SEQUENCE = /\u{1f3f4}(?:[\u{e0020}-\u{e007e}])*$/u;
/** UTF-16 units looked at before a character: the longest of the sequences above. */
const LOOK_BACK = 24;

/**
 * Cuts a text into what can be seen and what cannot; the pieces together are the text, unit by unit.
 * @returns pieces in order, none of them empty.
 */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const at = match.index;
    if (isWriting(text, at, match[0])) continue;
    if (at > from) found.push({ kind: 'text', text: text.slice(from, at) });
    const code = match[0].codePointAt(0) ?? 0;
    found.push({ kind: 'unseen', text: match[0], name: nameOf(code), turns: TURNS.has(code) });
    from = at + match[0].length;
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}

/** @returns how many characters of the text cannot be seen, and how many of them turn its direction. */
export function countUnseen(found: readonly Piece[]): { unseen: number; turning: number } {
  const unseen = found.filter((piece) => piece.kind === 'unseen');
  return { unseen: unseen.length, turning: unseen.filter((piece) => piece.turns).length };
}

function isWriting(text: string, at: number, char: string): boolean {
  if (SEEN.test(char)) return true;
  const before = text.slice(Math.max(0, at - LOOK_BACK), at);
  if (char === '\u200d' || char === '\u200c') {
    if (SHAPING_LETTER.test(before)) return true;
    return char === '\u200d' && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(text.slice(at + 1, at + 3));
  }
  return char.length === 2 && TAG_SEQUENCE.test(before);
}

function nameOf(code: number): string {
  const known = NAMES[code];
  if (known) return known;
  if (code >= 0xe0000) return `TAG ${String.fromCodePoint(code - 0xe0000).trim() || 'SPACE'}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
