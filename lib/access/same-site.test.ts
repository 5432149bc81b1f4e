import { expect, test } from 'vitest';
import { isOwnOrigin, ownPath } from './same-site.ts';

const ORIGIN = 'https://app.test';

test.each([
  ['/queue', '/queue'],
  ['/queue?tier=moderator', '/queue?tier=moderator'],
  ['/content/~YQ#top', '/content/~YQ#top'],
  ['https://APP.test/queue', '/queue'],
])('%j leads to %j', (wanted, path) => {
  expect(ownPath(wanted, ORIGIN)).toBe(path);
});

test.each([
  [null],
  [''],
  ['https://evil.test/'],
  ['//evil.test'],
  ['/\\evil.test'],
  ['/\\/evil.test'],
  ['https:evil.test'],
  ['http://app.test@evil.test/'],
  ['https://app.test.evil.test/'],
  ['https://user@app.test/'],
  ['javascript:alert(1)'],
  ['/%2f%2fevil.test'],
  ['/%5cevil.test'],
  ['/.//evil.test'],
  ['\t//evil.test'],
  ['/\n/evil.test'],
  ['http://app.test/queue'],
  ['queue'],
])('%j leads nowhere', (wanted) => {
  expect(ownPath(wanted, ORIGIN)).toBeNull();
});

test.each([
  ['https://app.test', true],
  [null, false],
  ['', false],
  ['null', false],
  ['http://', false],
  ['http://app.test', false],
  ['https://app.test:444', false],
  ['https://app.test/', false],
  ['https://app.test.evil.test', false],
  ['https://evil.test', false],
  ['https://user@app.test', false],
  ['data:text/html,x', false],
])('an Origin of %j is our own: %s', (header, own) => {
  expect(isOwnOrigin(header, ORIGIN)).toBe(own);
});
