import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DISGUISES } from './disguise.ts';
import { BUCKET_COUNT, createFeatureExtractor } from './features.ts';
import { tokenise } from './tokens.ts';

const extract = createFeatureExtractor();

function features(text: string): Record<number, number> {
  const { count, buckets, weights } = extract(text);
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [buckets[i], weights[i]]));
}

function tokens(text: string): string[] {
  return tokenise(text).map(({ kind, text: word }) => (kind === 'variant' ? `~${word}` : word));
}

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());

describe('tokenise', () => {
  test.each([
    ['links, and the host they lead to', 'see https://www.example.org/a?b', ['see', '<link>', '~<host example.org>']],
    ['a host without a scheme', 'at example.com/x now', ['at', '<link>', '~<host example.com>', 'now']],
    ['placeholders for links and users', '[user] [url]', ['<user>', '<link>']],
    ['users and mail addresses', '@someone a.b@example.org', ['<user>', '<mail>']],
    ['amounts and telephone numbers', '£500 0800 123 4567', ['<money>', '<phone>']],
    ['numbers by length', '7 2024', ['<number 1>', '<number 4>']],
    ['stress', 'what!!!!!', ['what', '<!!!>']],
    ['another reading of digits in a word', 'h4te', ['h4te', '~hate']],
    ['drawn-out words', 'soooo', ['soo', '~so', '~<drawn out>']],
    ['spelled-out words, once', 'k i l l', ['~kill', '~<spelled out>']],
    ['spelled-out words with dots', 'k.i.l.l', ['~kill', '~<spelled out>']],
    ['initials, which are no spelled-out word', 'j r smith', ['j', 'r', 'smith']],
    ['an apostrophe either way', 'don’t', ["don't", '~dont']],
  ])('knows %s', (_, text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });
});

describe('features', () => {
  test('are the same for the same text, whatever was read in between', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, between) => {
        const first = features(text);
        features(between);
        expect(features(text)).toEqual(first);
      }),
    );
  });

  test('form a vector of length one with each bucket once, for any string', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { count, buckets, weights } = extract(text);
        const used = Array.from(buckets.subarray(0, count));
        expect(new Set(used).size).toBe(count);
        expect(count).toBeGreaterThan(0);
        expect(Math.max(...used)).toBeLessThan(BUCKET_COUNT);
        const square = weights.subarray(0, count).reduce((sum, weight) => sum + weight * weight, 0);
        expect(square).toBeCloseTo(1, 4);
      }),
    );
  });

  test('do not change when invisible characters are put anywhere into words', () => {
    const invisible = fc.constantFrom('\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u0301', '\u202e', '\ufe0f');
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), invisible, fc.nat(), (words, sign, at) => {
        const text = words.join(' ');
        const place = at % (text.length + 1);
        expect(features(text.slice(0, place) + sign + text.slice(place))).toEqual(features(text));
      }),
    );
  });

  test.each(['zero-width characters inside words', 'full-width letters', 'stacked accents'])(
    'do not change under %s',
    (name) => {
      const disguise = DISGUISES.find((known) => known.name === name);
      const text = 'Please Read this before you go to the market again';
      expect(disguise?.apply(text)).not.toBe(text);
      expect(features(disguise?.apply(text) ?? '')).toEqual(features(text));
    },
  );

  test('do not change when a text is repeated, apart from what it looks like', () => {
    const once = Object.keys(features('one two three'));
    const often = Object.keys(features('one two three '.repeat(1000)));
    expect(often.length).toBeLessThan(once.length + 12);
  });

  test.each([
    ['one word of a mebibyte', 'a'.repeat(1 << 20)],
    ['marks without a letter', '\u0315\u0316'.repeat(1 << 19)],
    ['letters that unfold to many', '\ufdfa'.repeat(1 << 18)],
    ['dots and letters', 'a.'.repeat(1 << 19)],
    ['hyphens and letters', 'a-'.repeat(1 << 19)],
    ['beginnings of addresses', 'a@'.repeat(1 << 19)],
    ['ampersands', '&#'.repeat(1 << 19)],
    ['lone surrogates', '\ud800'.repeat(1 << 19)],
    ['words that all differ', Array.from({ length: 1 << 17 }, (_, i) => i.toString(36)).join(' ')],
    ['digits and spaces', '1 '.repeat(1 << 19)],
  ])('are found for %s', (_, text) => {
    const { count } = extract(text);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(BUCKET_COUNT);
  });
});
