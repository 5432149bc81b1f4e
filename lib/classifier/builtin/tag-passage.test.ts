import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inCodePoints, sentences, shortened } from './tag-passage.ts';

const parts = (text: string) => sentences(text).map(({ from, to }) => text.slice(from, to));
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('a', 'b c', '. ', '! ', '\n', '👩‍👩‍👧', 'é', 'क्षि', '。', '  ', '…" '))
    .map((all) => all.join('')),
);

describe('sentences', () => {
  test.each<[string, string, string[]]>([
    ['end at their marks', 'One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['end with their line', 'Title\n\nOne\n  Two  ', ['Title', 'One', 'Two']],
    ['keep the quotation mark that closes them', 'He said "No." Then he left.', ['He said "No."', 'Then he left.']],
    ['do not end inside a number or an address', 'Take 2.5 mg, see example.org.', ['Take 2.5 mg, see example.org.']],
    ['end at full-width marks without a space', '手を洗う。終わり。', ['手を洗う。', '終わり。']],
    ['are none where there is only space', ' \n\t ', []],
    ['are none in an empty text', '', []],
  ])('%s', (_, text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  test('stand in the text in order, none empty, none overlapping, none beginning or ending in space', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { from, to } of sentences(text)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          const sentence = text.slice(from, to);
          expect(sentence).toBe(sentence.trim());
          last = to;
        }
      }),
    );
  });
});

describe('a shortened passage', () => {
  test('keeps within its code points, is not empty and does not tear a grapheme that would fit', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (text, max) => {
          const { from, to } = shortened(text, { from: 0, to: text.length }, max);
          const kept = [...text.slice(from, to)].length;
          expect(kept).toBeGreaterThan(0);
          expect(kept).toBeLessThanOrEqual(max);
          const boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index).concat(text.length));
          const [first] = segmenter.segment(text);
          if ([...(first?.segment ?? '')].length <= max) expect(boundaries.has(to)).toBe(true);
        },
      ),
    );
  });
  test('of one grapheme that is itself too long is cut between its code points', () => {
    const stacked = `a${'\u0301'.repeat(500)}`;
    expect(shortened(stacked, { from: 0, to: stacked.length }, 300)).toEqual({ from: 0, to: 300 });
  });
});

test('offsets count code points, not units', () => {
  expect(inCodePoints('👍👍 ok', { from: 5, to: 7 })).toEqual({ start: 3, end: 5 });
});
