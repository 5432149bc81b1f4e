import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countUnseen, pieces } from './marks.ts';

const names = (text: string) => pieces(text).flatMap((piece) => (piece.kind === 'unseen' ? [piece.name] : []));

test.each([
  ['a zero-width space', 'fr\u200bee', ['ZWSP']],
  ['an override and its end', 'safe \u202etxet\u202c tail', ['RLO', 'PDF']],
  ['isolates', 'a\u2066b\u2067c\u2069d\u2069', ['LRI', 'RLI', 'PDI', 'PDI']],
  ['an Arabic letter mark', '1\u061c2', ['ALM']],
  ['a byte order mark inside', 'a\ufeffb', ['BOM']],
  ['a soft hyphen', 'con\u00adtact', ['SHY']],
  ['a joiner between Latin letters', 'sp\u200dam \u200c', ['ZWJ', 'ZWNJ']],
  ['DEL and C1', 'a\u007fb\u0085', ['U+007F', 'U+0085']],
  ['tags without their flag', '\u{e0068}\u{e0069}', ['TAG h', 'TAG i']],
  ['a blank that is a letter', '\u3164', ['HANGUL FILLER']],
  ['a joiner after an emoji that joins nothing', '👩\u200d bye', ['ZWJ']],
])('marks %s', (_what, text, expected) => {
  expect(names(text)).toEqual(expected);
});

test.each([
  ['Arabic with digits', 'هذا تعليق عادي abc 123.'],
  ['Hebrew with Latin', 'שלום (hello) עולם!'],
  ['joined, toned and dressed emoji', '👩‍👩‍👧‍👦 👍🏽 ❤️ 🧑🏽‍🚀 🏳️‍🌈 🏃‍♀️'],
  ['the flag of Wales', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['Devanagari, Han and Thai', 'नमस्ते क्‍ष 漢字 ไทย'],
  ['Persian with its non-joiner', 'می‌خواهم'],
  ['tabs and line breaks', 'a\tb\r\nc\n'],
])('leaves %s alone', (_what, text) => {
  expect(pieces(text)).toEqual([{ kind: 'text', text }]);
});

test('the pieces of any text are that text, unit by unit', () => {
  const nasty = fc.constantFrom(
    '\u200b',
    '\u200d',
    '\u202e',
    '👩',
    '\u{e0067}',
    '🏴',
    'ا',
    'a',
    '\ud800',
    '\u0000',
    '\ufe0f',
  );
  const text = fc.array(fc.oneof(nasty, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (any) => {
      const found = pieces(any);
      expect(found.map((piece) => piece.text).join('')).toBe(any);
      expect(found.every((piece) => piece.text !== '')).toBe(true);
      expect(countUnseen(found).turning).toBeLessThanOrEqual(countUnseen(found).unseen);
    }),
  );
});

test('a text of nothing but joiners is cut in time that grows with its length', () => {
  expect(pieces('\u200d'.repeat(200_000))).toHaveLength(200_000);
});
