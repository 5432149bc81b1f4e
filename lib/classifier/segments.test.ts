import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallInput } from './answer.ts';
import { parts, SEGMENT_CODE_POINTS, segments } from './segments.ts';

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

describe('everything that is shown', () => {
  const member = fc.tuple(
    fc.constantFrom('x', 'a\u0301', FAMILY, '🇩🇪', 'क्षि', 'word '),
    fc.integer({ min: 0, max: 9_000 }),
  );
  const shown = fc.record(
    { text: member, title: member, author_name: member, parent_text: member },
    { requiredKeys: ['text'] },
  );
  const written = (given: Partial<Record<keyof CallInput, readonly [string, number]>>): CallInput => {
    const all = Object.entries(given).map(([name, [bit, times]]) => [name, bit.repeat(times)]);
    return Object.fromEntries(all) as CallInput;
  };

  test('is cut as often as its longest member, each part is in some call, in order and whole', () => {
    fc.assert(
      fc.property(shown, (given) => {
        const input = written(given);
        const cut = parts(input);
        const names = Object.keys(input) as (keyof CallInput)[];
        const pieces = names.map((name) => segments(input[name] ?? ''));
        expect(cut).toHaveLength(Math.max(...pieces.map((each) => each.length)));
        for (const [at, name] of names.entries()) {
          const own = pieces[at]?.length ?? 0;
          const told = cut.map((part) => part.input[name] ?? '');
          expect(told.slice(0, own).join('')).toBe(input[name]);
          // A member that has no more shows its last part again, so that no call is without its context.
          expect(told.slice(own).every((each) => each === pieces[at]?.at(-1))).toBe(true);
          expect(told.every((each) => each.isWellFormed() && points(each) <= SEGMENT_CODE_POINTS)).toBe(true);
        }
        for (const { input: each, from } of cut) {
          expect([...input.text].slice(from, from + points(each.text)).join('')).toBe(each.text);
          expect(Object.keys(each)).toEqual(names);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('a long parent and a long title are shown whole beside a short text', () => {
    const input = { text: 'I agree', title: 't'.repeat(8_100), parent_text: 'p'.repeat(24_001) };
    const cut = parts(input);
    expect(cut.map((part) => [part.input.text, part.from])).toEqual(Array(4).fill(['I agree', 0]));
    expect(cut.map((part) => part.input.parent_text).join('')).toBe(input.parent_text);
    expect(cut.map((part) => points(part.input.title ?? ''))).toEqual([8_000, 100, 100, 100]);
  });

  test.each([
    ['letters', 'a'],
    ['families', FAMILY],
    ['flags', '🇩🇪'],
    ['stacked marks', 'e\u0301\u0323'],
    ['conjuncts', 'क्षि'],
    ['lines', 'line\r\n'],
  ])('200,000 code points of %s are cut and lost nowhere', (_, bit) => {
    const text = bit.repeat(Math.ceil(200_000 / points(bit)));
    const cut = parts({ text, title: 'T' });
    expect(cut.map((part) => part.input.text).join('')).toBe(text);
    expect(cut.length).toBeLessThanOrEqual(26);
    expect(
      tornAt(
        text,
        cut.map((part) => part.input.text),
      ).some(Boolean),
    ).toBe(false);
  });
});
