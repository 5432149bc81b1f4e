import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf, pageSize, readPlace } from './page.ts';

const digits = (key: string) => /^\d+$/.test(key);

test('page after page gives every row once, in order, and the last page says that it is the last', () => {
  const rows = fc
    .array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 40 })
    .map((times) => times.sort((a, b) => a - b).map((at, key) => ({ at: new Date(at), key })));
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (all, size) => {
      const seen: number[] = [];
      for (let after: string | null = null; ; ) {
        const place = readPlace(after, digits);
        const from = place === null ? 0 : all.findIndex((row) => String(row.key) === place.key) + 1;
        if (place) expect(place.at).toEqual(all[from - 1]?.at);
        const page = pageOf(all.slice(from, from + size + 1), size, (row) => row);
        expect(page.items.length).toBeLessThanOrEqual(size);
        seen.push(...page.items.map((row) => row.key));
        if (page.next === null) break;
        after = page.next;
      }
      expect(seen).toEqual(all.map((row) => row.key));
    }),
  );
});

test.each([null, '', '12', '12.', '.7', '12.x', '-1.7', '1234567890123456.7', "12.7'; --"])(
  'no place begins at the beginning: %j',
  (after) => {
    expect(readPlace(after, digits)).toBeNull();
  },
);

test.each([
  [0, 1],
  [-5, 1],
  [50, 50],
  [5_000, 200],
])('a page of %i rows holds %i', (asked, size) => {
  expect(pageSize(asked, 200)).toBe(size);
});
