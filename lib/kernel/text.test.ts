import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codePointCount,
  compareBytes,
  hasAnyControl,
  hasForbiddenControl,
  hasLoneSurrogate,
  utf8Length,
} from './text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 30 });

test('code points are counted as the language counts them, lone surrogates too', () => {
  const units = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((list) => String.fromCharCode(...list));
  fc.assert(
    fc.property(fc.oneof(anyText, units), (text) => {
      expect(codePointCount(text)).toBe([...text].length);
    }),
    { numRuns: 1_000 },
  );
});

test('bytes are those of UTF-8', () => {
  expect(utf8Length('aé中😀')).toBe(1 + 2 + 3 + 4);
});

test('the order of bytes differs from that of JavaScript where it must', () => {
  expect('\uff5e' < '\u{1f600}').toBe(false);
  expect(compareBytes('\uff5e', '\u{1f600}')).toBe(-1);
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(compareBytes(a, b)).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

describe('characters that are refused', () => {
  test.each([
    ['\u0000', true, true],
    ['\u0007', true, true],
    ['\u001b', true, true],
    ['\t', false, true],
    ['\n', false, true],
    ['\r', false, true],
    ['\u007f', false, true],
    ['\u0085', false, true],
    [' ', false, false],
    ['\u200d', false, false],
    ['ש', false, false],
  ])('%j: forbidden in text %s, in an id %s', (character, inText, inId) => {
    expect(hasForbiddenControl(`a${character}b`)).toBe(inText);
    expect(hasAnyControl(`a${character}b`)).toBe(inId);
  });

  test('half a surrogate pair is recognised, a whole one is not', () => {
    expect(['\ud83d', 'a\ude00', '\ude00\ud83d', '😀'].map(hasLoneSurrogate)).toEqual([true, true, true, false]);
  });
});
