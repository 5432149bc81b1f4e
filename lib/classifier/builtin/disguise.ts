/**
 * Ways in which people hide a word from a filter, applied to a whole text. The model card reports how much recall is
 * left under each.
 */
const LEET: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };
const CYRILLIC: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' };

const FULL_WIDTH_OFFSET = 0xfee0;

function mapLetters(text: string, letters: Readonly<Record<string, string>>): string {
  return text.replace(/[a-z]/gi, (letter) => letters[letter.toLowerCase()] ?? letter);
}

function within(text: string, separator: string): string {
  return text.replace(/[a-z]{3,}/gi, (word) => [...word].join(separator));
}

export const DISGUISES: readonly { readonly name: string; readonly apply: (text: string) => string }[] = [
  { name: 'none', apply: (text) => text },
  { name: 'digits for letters (l33t)', apply: (text) => mapLetters(text, LEET) },
  { name: 'zero-width characters inside words', apply: (text) => within(text, '\u200b') },
  { name: 'Cyrillic look-alikes', apply: (text) => mapLetters(text, CYRILLIC) },
  { name: 'drawn-out vowels', apply: (text) => text.replace(/[aeiou]/gi, (vowel) => vowel.repeat(4)) },
  { name: 'spaces between letters', apply: (text) => within(text, ' ') },
  { name: 'dots between letters', apply: (text) => within(text, '.') },
  {
    name: 'full-width letters',
    apply: (text) => text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH_OFFSET)),
  },
  { name: 'stacked accents', apply: (text) => text.replace(/[a-z]/gi, (letter) => `${letter}\u0335\u0301\u0323`) },
];
