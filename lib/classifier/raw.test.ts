import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capped, withoutThinking } from './raw.ts';

test('evidence is well formed, holds no NUL, stays within its bytes and is a prefix of the answer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.nat(80), (text, max) => {
      const kept = capped(text, max);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(max);
      expect(kept.isWellFormed() && !kept.includes('\0')).toBe(true);
      expect(text.replaceAll('\0', '\ufffd').startsWith(kept)).toBe(true);
    }),
  );
  expect(capped('a\ud800\0b')).toBe('a\ufffd\ufffdb');
  expect(capped('🙂🙂', 7)).toBe('🙂');
});

test.each([
  ['<think>a</think>b', 'b', true],
  ['\n <think>a</think>\n\nb', '\n\nb', true],
  ['<think>never closed', '', true],
  ['<think>a</think><think>b</think>c', '<think>b</think>c', true],
  ['a<think>b</think>', 'a<think>b</think>', false],
  ['', '', false],
])('%j without thinking is %j', (content, rest, thought) => {
  expect(withoutThinking(content)).toEqual({ rest, thought });
});
