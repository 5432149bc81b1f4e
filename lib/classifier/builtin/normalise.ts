/**
 * Text as the built-in classifier reads it: disguises removed, letters kept.
 *
 * Everything here is linear in the length of the text, because the text is hostile input: each pattern is a single
 * character class or has a bounded repetition, so that no input makes it backtrack.
 */

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Combining marks, format characters (zero-width, bidi, soft hyphen, tags) and other characters that show nothing. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;

const MAX_CODE_POINT = 0x10ffff;

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
  const valid = code > 0 && code <= MAX_CODE_POINT && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : whole;
}

/**
 * Undoes what only disguises: HTML entities, compatibility forms (full-width, mathematical, circled letters), accents,
 * zero-width and bidirectional characters. Case is kept, because shouting is a feature.
 *
 * Marks go before NFKD as well as after it: a normaliser sorts a run of marks by class, and a megabyte of them in the
 * wrong order takes quadratic time.
 */
export function undisguise(text: string): string {
  const decoded = text.includes('&') ? text.replace(ENTITY, decodeEntity) : text;
  return decoded.replace(INVISIBLE, '').normalize('NFKD').replace(INVISIBLE, '');
}

/** Letters of other scripts, and small capitals, that are drawn like a Latin letter. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Cyrillic
    а: 'a',
    в: 'b',
    е: 'e',
    ё: 'e',
    з: 'z',
    и: 'u',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    м: 'm',
    н: 'h',
    о: 'o',
    п: 'n',
    р: 'p',
    с: 'c',
    т: 't',
    у: 'y',
    ү: 'y',
    х: 'x',
    һ: 'h',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    ѕ: 's',
    ь: 'b',
    г: 'r',
    я: 'r',
    ц: 'u',
    // Greek
    α: 'a',
    β: 'b',
    γ: 'y',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'u',
    ν: 'v',
    ο: 'o',
    π: 'n',
    ρ: 'p',
    σ: 'o',
    ς: 's',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ω: 'w',
    ϲ: 'c',
    ϳ: 'j',
    // Armenian, and Latin letters that NFKD leaves alone
    ա: 'w',
    օ: 'o',
    ս: 'u',
    հ: 'h',
    ո: 'n',
    ı: 'i',
    ȷ: 'j',
    ɑ: 'a',
    ɡ: 'g',
    ɩ: 'i',
    ʋ: 'u',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ᴀ: 'a',
    ʙ: 'b',
    ᴄ: 'c',
    ᴅ: 'd',
    ᴇ: 'e',
    ꜰ: 'f',
    ɢ: 'g',
    ʜ: 'h',
    ɪ: 'i',
    ᴊ: 'j',
    ᴋ: 'k',
    ʟ: 'l',
    ᴍ: 'm',
    ɴ: 'n',
    ᴏ: 'o',
    ᴘ: 'p',
    ʀ: 'r',
    ꜱ: 's',
    ᴛ: 't',
    ᴜ: 'u',
    ᴠ: 'v',
    ᴡ: 'w',
    ʏ: 'y',
    ᴢ: 'z',
  }),
);

const ASCII_LETTER = /[a-z]/;
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Folds look-alike letters in a lower-case word that mixes them with Latin ones. A word wholly in another script is
 * left alone: there the letters mean what they are.
 */
export function foldLookAlikes(word: string): string {
  if (!BEYOND_ASCII.test(word) || !ASCII_LETTER.test(word)) return word;
  let folded = '';
  for (const letter of word) folded += LOOK_ALIKES.get(letter) ?? letter;
  return folded;
}

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
};
const LEET_CHARACTER = /[0134578@$!|]/g;

/** The word with digits and signs read as the letters they stand for; the word itself where nothing is to be read. */
export function readLeet(word: string): string {
  return ASCII_LETTER.test(word) ? word.replace(LEET_CHARACTER, (sign) => LEET[sign] ?? sign) : word;
}

/** Every run of three or more of one character is cut to `keep` of them. Runs of two are spelling and stay. */
export function shortenRuns(word: string, keep: 1 | 2): string {
  let shortened = '';
  let runLength = 0;
  for (let i = 0; i < word.length; i += 1) {
    runLength = i > 0 && word[i] === word[i - 1] ? runLength + 1 : 1;
    if (runLength <= keep || (runLength === 2 && word[i + 1] !== word[i])) shortened += word[i];
  }
  return shortened;
}
