import { type Goal, keeps, median, readable } from './figures.ts';
import { table } from './table.ts';

/** What one part of the benchmark found. */
export type Section = {
  readonly name: string;
  readonly title: string;
  /** Measured as it is: medians over the rounds. */
  readonly figures: readonly Figure[];
  /** Compared with what ran in the same rounds. */
  readonly comparisons: readonly Comparison[];
};
export type Figure = {
  readonly who: string;
  readonly what: string;
  readonly unit: string;
  readonly rounds: readonly number[];
};
export type Comparison = {
  readonly what: string;
  readonly value: number;
  readonly unit: '%' | 'x' | 'ms' | 'µs' | 'MB' | 's';
  readonly gate: Goal | null;
};

/** @returns a section as lines of Markdown. */
export function sectionText(section: Section): string[] {
  const figures = section.figures.map(({ who, what, unit, rounds }) => [
    who,
    what,
    readable(median(rounds)),
    readable(Math.min(...rounds)),
    readable(Math.max(...rounds)),
    unit,
  ]);
  const comparisons = section.comparisons.map(({ what, value, unit, gate }) => [
    what,
    said(value, unit),
    gate === null ? '' : goal(gate, unit),
    gate === null ? '' : keeps(value, gate) ? 'kept' : 'missed',
  ]);
  return [
    `### ${section.title}`,
    '',
    ...table([['who', 'what', 'median', 'least', 'most', 'unit'], ...figures], [2, 3, 4]),
    '',
    ...table([['compared in the same rounds', 'measured', 'gate', ''], ...comparisons], [1, 2]),
    '',
  ];
}

/** A share is stored as a fraction and told in percent. */
function said(value: number, unit: Comparison['unit']): string {
  return unit === '%' ? `${readable(value * 100)} %` : `${readable(value)} ${unit}`;
}

function goal(gate: Goal, unit: Comparison['unit']): string {
  return 'least' in gate ? `at least ${said(gate.least, unit)}` : `at most ${said(gate.most, unit)}`;
}
