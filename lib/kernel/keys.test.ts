import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decisionId, eventId, NO_POLICY, parsePolicyVersion } from './keys.ts';

test('a decision id is SHA-256 over content_id, NUL, revision, NUL, policy version in UTF-8', () => {
  // printf 'forum:1\0002\000forum@1' | sha256sum
  const expected = createHash('sha256')
    .update(
      Buffer.concat([Buffer.from('forum:1'), Buffer.of(0), Buffer.from('2'), Buffer.of(0), Buffer.from('forum@1')]),
    )
    .digest('hex');
  expect(decisionId('forum:1', '2', 'forum@1')).toBe(expected);
});

test('no two triples of parts without NUL share a decision id', () => {
  const part = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(part, part, part, part, (a, b, c, d) => {
      fc.pre(a !== c || b !== d);
      expect(decisionId(a, b, NO_POLICY)).not.toBe(decisionId(c, d, NO_POLICY));
    }),
  );
  expect(decisionId('a', 'bc', NO_POLICY)).not.toBe(decisionId('ab', 'c', NO_POLICY));
});

test('an event id is the decision and the status version', () => {
  expect(eventId('abc', 3)).toBe('abc:3');
});

describe('slug@n', () => {
  test.each([
    ['forum@1', { slug: 'forum', n: 1 }],
    ['a-b-9@120', { slug: 'a-b-9', n: 120 }],
  ])('%s is read', (text, parsed) => {
    expect(parsePolicyVersion(text)).toEqual(parsed);
  });

  test.each([
    'forum',
    'forum@',
    '@1',
    'forum@0',
    'forum@01',
    'Forum@1',
    'forum@1 ',
    'fo rum@1',
    'forum@1@2',
    'forum@-1',
    'none@0',
  ])('%j is not of that form', (text) => {
    expect(parsePolicyVersion(text)).toBeNull();
  });
});
