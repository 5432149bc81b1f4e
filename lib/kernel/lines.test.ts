import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, lineSplitter } from './lines.ts';

function split(bytes: Uint8Array, sizes: readonly number[], maxBytes: number): [number, string | null, boolean][] {
  const splitter = lineSplitter(maxBytes);
  const lines: Line[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    // The chunk is spoilt after it was read, as a reader that reuses its buffer does.
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    lines.push(...splitter.push(chunk).map((line) => ({ ...line, bytes: line.bytes && Buffer.from(line.bytes) })));
    chunk.fill(0x3f);
    at += size;
  }
  lines.push(...splitter.end());
  return lines.map((line) => [line.number, line.bytes && Buffer.from(line.bytes).toString('latin1'), line.ended]);
}

test('lines are the same whatever the chunks', () => {
  const bytes = fc
    .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0xa9, 0xf0), { maxLength: 60 })
    .map((list) => Buffer.from(list));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(bytes, sizes, fc.integer({ min: 1, max: 12 }), (all, chunks, maxBytes) => {
      const parts = all.toString('latin1').split('\n');
      const expected = parts
        .map((part, at) => [at + 1, part.length > maxBytes ? null : part, at < parts.length - 1])
        .filter(([, part, ended]) => ended || part !== '');
      expect(split(all, chunks, maxBytes)).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('a line that is too large is counted and not kept, and the next one is read', () => {
  expect(split(Buffer.from(`a\n${'x'.repeat(50)}\nb`), [7], 10)).toEqual([
    [1, 'a', true],
    [2, null, true],
    [3, 'b', false],
  ]);
});
