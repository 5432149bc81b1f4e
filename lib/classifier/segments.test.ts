import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEGMENT_CODE_POINTS, segments } from './segments.ts';

const FAMILY = '👩‍👩‍👧‍👦';
const points = (text: string) => [...text].length;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** @returns the places where the segments meet, each as "inside a grapheme of the whole text" or not. */
function tornAt(text: string, cut: readonly string[]): boolean[] {
  const whole = graphemes.segment(text);
  let at = 0;
  return cut.slice(0, -1).map((each) => {
    at += each.length;
    return whole.containing(at)?.index !== at;
  });
}

describe('segments of long text', () => {
  test.each([
    ['', 1],
    ['short', 1],
    ['a'.repeat(8_000), 1],
    ['a'.repeat(8_001), 2],
    ['🙂'.repeat(8_000), 1],
    ['🙂'.repeat(8_001), 2],
    ['a'.repeat(1024 * 1024), 132],
    ['word '.repeat(209_715), 132],
  ])('%.5s… makes so many', (text, count) => {
    expect(segments(text)).toHaveLength(count);
  });

  test('a cut falls after a space where one is near', () => {
    const [first] = segments(`${'a'.repeat(7_980)} ${'b'.repeat(100)}`);
    expect(first).toBe(`${'a'.repeat(7_980)} `);
    expect(points(segments(`${'a'.repeat(7_900)} ${'b'.repeat(200)}`)[0] ?? '')).toBe(8_000);
  });

  test.each([FAMILY, '🇩🇪', 'e\u0301\u0323', '\r\n', 'क्षि', '👍🏽', '각', ' \u0301'])(
    'no %j is torn apart, wherever the limit falls in it',
    (cluster) => {
      for (let shift = 0; shift <= 12; shift++) {
        const text = 'x'.repeat(SEGMENT_CODE_POINTS - shift) + cluster.repeat(30);
        const cut = segments(text);
        expect(cut.join('')).toBe(text);
        expect(tornAt(text, cut)).toEqual([false]);
      }
    },
  );

  test('a grapheme longer than a segment is cut between code points and nothing is lost', () => {
    const text = `a${'\u0301'.repeat(20_000)}`;
    const cut = segments(text);
    expect(cut.join('')).toBe(text);
    expect(Math.max(...cut.map(points))).toBe(SEGMENT_CODE_POINTS);
  });

  test('they make the text again, none is empty or too long, none ends in half a character', () => {
    const bit = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(FAMILY, '🇩🇪', ' ', '\r\n', 'a\u0301'),
    );
    const text = fc
      .tuple(fc.array(bit, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 400 }))
      .map(([bits, times]) => bits.join('').repeat(times));
    fc.assert(
      fc.property(text, (given) => {
        const cut = segments(given);
        expect(cut.join('')).toBe(given);
        for (const each of cut) {
          expect(points(each) <= SEGMENT_CODE_POINTS && (each !== '' || given === '')).toBe(true);
          expect(each.isWellFormed()).toBe(given.isWellFormed());
        }
      }),
      { numRuns: 60 },
    );
  });
});
