import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
const read = (headers: Record<string, string>) => retryAfterMs((name) => headers[name], NOW);

describe('how long a service asks to be left alone', () => {
  test.each<[string, number | undefined]>([
    ['7', 7_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['Mon, 30 Nov 2026 12:00:07 GMT', 7_000],
    ['Monday, 30-Nov-26 12:00:07 GMT', 7_000],
    ['Mon Nov 30 12:00:07 2026', 7_000],
    ['Sun Nov  6 08:49:37 1994', 0],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Sunday, 06-Nov-44 08:49:37 GMT', Date.UTC(2044, 10, 6, 8, 49, 37) - NOW],
    ['soon', undefined],
    ['1000abc', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['99999999999999999999', undefined],
    ['Wed, 32 Foo 2026 25:61:00 GMT', undefined],
    ['Mon, 31 Nov 2026 12:00:07 GMT', undefined],
    ['Mon, 30 Nov 2026 24:00:00 GMT', undefined],
    ['2026-11-30T12:00:07Z', undefined],
  ])('retry-after %j is %s ms', (said, expected) => {
    expect(read({ 'retry-after': said })).toBe(expected);
  });

  test('retry-after-ms goes first where it is plain digits, else retry-after is read', () => {
    expect(read({ 'retry-after-ms': '350', 'retry-after': '30' })).toBe(350);
    expect(read({ 'retry-after-ms': 'x', 'retry-after': '30' })).toBe(30_000);
    expect(read({})).toBeUndefined();
  });

  test('whatever is said, the wait is absent or a number that is not negative', () => {
    const text = fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      fc.double().map(String),
    );
    fc.assert(
      fc.property(text, text, (ms, seconds) => {
        const wait = read({ 'retry-after-ms': ms, 'retry-after': seconds });
        expect(wait === undefined || (Number.isFinite(wait) && wait >= 0)).toBe(true);
      }),
    );
  });
});
