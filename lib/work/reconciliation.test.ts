import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reconciled, type TermCount, type Terms } from './reconciliation.ts';

const at = (source: string, count: number, content_type = 'comment'): TermCount => ({ source, content_type, count });

function closed(): Record<keyof Terms, TermCount[]> {
  return {
    revisions: [at('a', 10), at('b', 5)],
    control: [at('a', 10), at('b', 5)],
    decisions: [at('a', 7), at('b', 5)],
    classified: [at('a', 7), at('b', 5)],
    exceptions: [at('a', 1)],
    pending: [at('a', 2)],
    deduplicated: [at('b', 3)],
    foreign: [at('b', 3)],
    misplaced: [],
  };
}

test('a run closes where every term agrees with its witness and the terms add up', () => {
  const result = reconciled(closed());
  expect(result).toMatchObject({ closes: true, pending: 2, differences: [] });
  expect(
    result.by.map(({ source, revisions, decisions, exceptions, pending }) => [
      source,
      revisions,
      decisions + exceptions + pending,
    ]),
  ).toEqual([
    ['a', 10, 10],
    ['b', 5, 5],
  ]);
});

test('any single count that is off by something turns it red, and the difference names source and type', () => {
  const terms = Object.keys(closed()) as (keyof Terms)[];
  fc.assert(
    fc.property(
      fc.constantFrom(...terms),
      fc.constantFrom('a', 'b', 'c'),
      fc.integer({ min: 1, max: 9 }),
      (term, source, by) => {
        const counts = closed();
        counts[term] = [
          ...counts[term].filter((row) => row.source !== source),
          at(source, (counts[term].find((row) => row.source === source)?.count ?? 0) + by),
        ];
        const result = reconciled(counts);
        expect(result.closes).toBe(false);
        expect(result.differences.every((one) => one.source === source && one.content_type === 'comment')).toBe(true);
      },
    ),
  );
});

test('slices are sorted bytewise and a name with any character is one slice', () => {
  const counts = closed();
  const names = ['~', 'a"],["b', '\u{1f600}', '\uff5e', 'A'];
  counts.revisions = names.map((name) => at(name, 1));
  expect(reconciled(counts).by.map((slice) => slice.source)).toEqual([
    'A',
    'a',
    'a"],["b',
    'b',
    '~',
    '\uff5e',
    '\u{1f600}',
  ]);
});
