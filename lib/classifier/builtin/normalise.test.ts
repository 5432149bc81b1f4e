import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldLookAlikes, readLeet, shortenRuns, undisguise } from './normalise.ts';

describe('undisguise', () => {
  test.each([
    ['full-width letters', 'ｓｐａｍ', 'spam'],
    ['mathematical letters', '𝐬𝐩𝐚𝐦', 'spam'],
    ['accents', 'spám', 'spam'],
    ['stacked marks', 's\u0335\u0301p\u0323am', 'spam'],
    ['zero-width characters', 'sp\u200ba\u200dm\ufeff', 'spam'],
    ['soft hyphens and direction marks', 'sp\u00ada\u202em', 'spam'],
    ['named entities', 'you &amp; me &lt;3', 'you & me <3'],
    ['numeric entities', '&#8220;x&#x201d;', '“x”'],
    ['an entity that names no character', '&#0; &#xd800; &#9999999;', '&#0; &#xd800; &#9999999;'],
    ['case, which is kept', 'SPAM', 'SPAM'],
  ])('undoes %s', (_, disguised, plain) => {
    expect(undisguise(disguised)).toBe(plain);
  });

  test('an entity is decoded once: what an author wrote about entities stays', () => {
    expect(undisguise('&amp;lt;')).toBe('&lt;');
  });

  test('a long run of marks in the wrong order does not take quadratic time', () => {
    const marks = `a${'\u0315\u0316'.repeat(500_000)}`;
    expect(undisguise(marks)).toBe('a');
  });
});

describe('foldLookAlikes', () => {
  test('folds letters of another script in a word that also has Latin ones', () => {
    expect(foldLookAlikes('sрam')).toBe('spam');
    expect(foldLookAlikes('frее')).toBe('free');
  });
  test('leaves a word that is wholly in another script', () => {
    expect(foldLookAlikes('привет')).toBe('привет');
    expect(foldLookAlikes('ναι')).toBe('ναι');
  });
});

test('digits and signs are read as letters only beside a letter', () => {
  expect(readLeet('h4t3')).toBe('hate');
  expect(readLeet('$p@m')).toBe('spam');
  expect(readLeet('2024')).toBe('2024');
});

describe('shortenRuns', () => {
  test.each([
    ['good', 2, 'good'],
    ['gooood', 2, 'good'],
    ['gooood', 1, 'god'],
    ['good', 1, 'good'],
    ['aaab', 1, 'ab'],
    ['yeesss', 1, 'yees'],
    ['', 1, ''],
  ] as const)('%s with runs cut to %i is %s', (word, keep, expected) => {
    expect(shortenRuns(word, keep)).toBe(expected);
  });
  test('no run of three is left, and nothing but repetition is taken', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[abc]{0,40}$/), (word) => {
        const short = shortenRuns(word, 2);
        expect(short).not.toMatch(/(.)\1\1/);
        expect(short.replace(/(.)\1*/g, '$1')).toBe(word.replace(/(.)\1*/g, '$1'));
      }),
    );
  });
});
