import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyLine, snapshotLineBytes } from './copy-text.ts';

/** COPY's text form read back by its definition. */
function readCopyLine(line: string): (string | null)[] {
  const named: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
  return line
    .slice(0, -1)
    .split('\t')
    .map((cell) => (cell === '\\N' ? null : cell.replace(/\\(.)/gs, (_, letter: string) => named[letter] ?? letter)));
}

test('whatever is written as a COPY line is read back as the same cells', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('\\', 'N', '.', '\t', '\n', '\r', '\b', '\f', '\v', 'a', 'é'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(fc.option(nasty), { minLength: 1, maxLength: 6 }), (cells) => {
      const line = copyLine(cells);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(readCopyLine(line)).toEqual(cells);
    }),
    { numRuns: 500 },
  );
});

test('members become the bytes of the snapshot hash whatever the chunks', () => {
  const id = fc.string({ unit: fc.constantFrom('\\', 'N', 't', 'a', 'é', '😀'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id), { maxLength: 5 }), fc.integer({ min: 1, max: 7 }), (members, size) => {
      const copied = Buffer.from(members.map(([a, b]) => copyLine([a, b, 'ff'])).join(''));
      const bytesOf = snapshotLineBytes();
      const parts: Uint8Array[] = [];
      for (let at = 0; at < copied.length; at += size) parts.push(bytesOf(copied.subarray(at, at + size)));
      expect(Buffer.concat(parts).toString()).toBe(members.map(([a, b]) => `${a}\0${b}\0ff\n`).join(''));
    }),
    { numRuns: 500 },
  );
});
