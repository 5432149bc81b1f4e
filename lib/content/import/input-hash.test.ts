import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalSha256 } from '../../kernel/canonical.ts';
import { inputSha256, textSha256 } from './input-hash.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });

test('the input hash is that of the RFC 8785 form with absent members left out', () => {
  fc.assert(
    fc.property(text, fc.option(text), fc.option(text), fc.option(text), (body, title, authorName, parentText) => {
      const shown = {
        text: body,
        ...(title !== null && { title }),
        ...(authorName !== null && { author_name: authorName }),
        ...(parentText !== null && { parent_text: parentText }),
      };
      expect(inputSha256({ text: body, title, authorName, parentText })).toBe(canonicalSha256(shown));
    }),
    { numRuns: 500 },
  );
});

test('the text hash is over the bytes as they are', () => {
  // printf 'café' | sha256sum
  expect(textSha256('caf\u00e9')).toBe('850f7dc43910ff890f8879c0ed26fe697c93a067ad93a7d50f466a7028a9bf4e');
});
