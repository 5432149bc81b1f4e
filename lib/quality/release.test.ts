import { expect, test } from 'vitest';
import type { PolicyDocument } from '../policy/schema.ts';
import { tagPolicy } from '../policy/testing.ts';
import { type AskedRow, evaluate } from './evaluate.ts';
import { releaseBars } from './release.ts';

/** `right` of `count` guides are found, and every form. */
function rows(right: number, count: number, failures = 0): AskedRow[] {
  const row = (truth: string, tag: string): AskedRow => ({
    stratum: 's',
    truths: { guide: truth === 'guide' ? 1 : 0, form: truth === 'form' ? 1 : 0 },
    answer: { classification: { tag, start: 0, end: 1, passage_sha256: 'x' } },
  });
  return [
    ...Array.from({ length: count }, (_, at) => row('guide', at < right ? 'guide' : 'form')),
    ...Array.from({ length: 20 }, () => row('form', 'form')),
    ...Array.from({ length: failures }, (): AskedRow => ({ ...row('form', 'form'), answer: { failure: 'timeout' } })),
  ];
}
const bars = (criteria: unknown, found: readonly AskedRow[]) => {
  const document: PolicyDocument = tagPolicy({ release: { criteria } as never });
  return releaseBars(document, evaluate(document, found)).map(({ metric, label, met }) => [metric, label, met]);
};

test.each<[string, unknown, AskedRow[], unknown[]]>([
  [
    'reached exactly is met',
    [{ metric: 'recall', label: 'guide', minimum: 0.5 }],
    rows(10, 20),
    [['recall', 'guide', true]],
  ],
  [
    'not reached is missed',
    [{ metric: 'recall', label: 'guide', minimum: 0.51 }],
    rows(10, 20),
    [['recall', 'guide', false]],
  ],
  [
    'of each label is one bar a label',
    [{ metric: 'recall', scope: 'each_label', minimum: 0.9 }],
    rows(10, 20),
    [
      ['recall', 'guide', false],
      ['recall', 'form', true],
    ],
  ],
  [
    'on nine rows is not decided',
    [{ metric: 'recall', label: 'guide', minimum: 0.9 }],
    rows(9, 9),
    [['recall', 'guide', null]],
  ],
  ['on ten rows is', [{ metric: 'recall', label: 'guide', minimum: 0.9 }], rows(10, 10), [['recall', 'guide', true]]],
  ['of no failure', [{ metric: 'failures', scope: 'all', maximum: 0 }], rows(10, 10, 1), [['failures', null, false]]],
  [
    'of a label that is not there is not decided',
    [{ metric: 'recall', label: 'poem', minimum: 0.5 }],
    rows(1, 1),
    [['recall', 'poem', null]],
  ],
  [
    'in words nobody can read is not decided',
    [{ metric: 'beauty', minimum: 1 }],
    rows(1, 1),
    [['unreadable', null, null]],
  ],
  [
    'that is no list is not taken for none',
    { metric: 'recall', label: 'guide', minimum: 0.9 },
    rows(10, 10),
    [['unreadable', null, null]],
  ],
  ['that is not set is none', undefined, rows(1, 1), []],
])('a bar %s', (_, criteria, found, expected) => {
  expect(bars(criteria, found)).toEqual(expected);
});
