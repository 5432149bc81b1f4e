import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentIdFromPath, contentPath } from './content-address.ts';

test.each([
  ['c-1', '/content/c-1'],
  ['forum:2024.1_a', '/content/forum:2024.1_a'],
  ['.', '/content/~Lg'],
  ['..', '/content/~Li4'],
  ['a/b', '/content/~YS9i'],
  ['~x', '/content/~fng'],
  ['ä', '/content/~w6Q'],
])('%j stands at %s', (id, path) => {
  expect(contentPath(id)).toBe(path);
});

test.each([['a b'], ['~'], ['~!!'], ['%'], ['~_w'], [`~${'A'.repeat(2000)}`], ['']])('%j is no address', (segment) => {
  expect(contentIdFromPath(segment)).toBeNull();
});

test('every id finds its way into an address and back, percent-encoded or not', () => {
  const id = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
    fc.constantFrom('..', 'a%2fb', '~YQ'),
  );
  fc.assert(
    fc.property(
      id.filter((text) => text.isWellFormed() && !/\p{Cc}/u.test(text) && new TextEncoder().encode(text).length <= 512),
      (text) => {
        const segment = contentPath(text).slice('/content/'.length);
        expect(segment).toMatch(/^[A-Za-z0-9._:~-]+$/);
        expect(contentIdFromPath(segment)).toBe(text);
        expect(contentIdFromPath(encodeURIComponent(segment))).toBe(text);
      },
    ),
  );
});

test('an address that would be an id with a control character is none', () => {
  for (const address of ['~AAAA', '~bm8A', '~YQpi']) expect(contentIdFromPath(address), address).toBeNull();
});
