import { compareBytes } from '../kernel/text.ts';
import type { DecisionRow } from './row.ts';

/** Counts of one (source, content type), spelled as in the manifest. */
export type TotalsLine = {
  readonly source: string;
  readonly content_type: string;
  readonly revisions: number;
  readonly decisions: number;
  readonly exceptions: number;
  readonly allow: number;
  readonly review: number;
  readonly restrict: number;
};

/** The control totals of a bundle. allow, review and restrict are the machine's verdicts and sum to decisions. */
export type ControlTotals = {
  readonly revisions: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  /** Sorted by source, then content type, bytewise. */
  readonly by: readonly TotalsLine[];
};

type Counted = { -readonly [K in keyof TotalsLine]: TotalsLine[K] };

/** What a row counts as: a decision where it has a verdict, else an exception. */
export type CountedRow = {
  readonly source: string;
  readonly content_type: string;
  readonly verdict?: DecisionRow['verdict'];
  readonly deduplicated?: boolean;
};

/** Counts rows as they pass. */
export type Tally = {
  add(row: CountedRow): void;
  totals(): ControlTotals;
};

/** @returns a tally at zero. */
export function makeTally(): Tally {
  const lines = new Map<string, Counted>();
  let deduplicated = 0;
  return {
    add(row) {
      const key = `${row.content_type}\0${row.source}`;
      let line = lines.get(key);
      if (!line) {
        line = emptyLine(row.source, row.content_type);
        lines.set(key, line);
      }
      line.revisions++;
      if (row.verdict === undefined) {
        line.exceptions++;
        return;
      }
      line.decisions++;
      line[row.verdict]++;
      if (row.deduplicated) deduplicated++;
    },
    totals: () => sumTotals([...lines.values()], deduplicated),
  };
}

/** @returns a line of zeros. */
export function emptyLine(source: string, contentType: string): TotalsLine {
  return {
    source,
    content_type: contentType,
    revisions: 0,
    decisions: 0,
    exceptions: 0,
    allow: 0,
    review: 0,
    restrict: 0,
  };
}

/** @returns the control totals over lines in any order. */
export function sumTotals(lines: readonly TotalsLine[], deduplicated: number): ControlTotals {
  const by = [...lines].sort(compareLines);
  const sum = (term: 'revisions' | 'decisions' | 'exceptions') => by.reduce((total, line) => total + line[term], 0);
  return {
    revisions: sum('revisions'),
    decisions: sum('decisions'),
    deduplicated,
    exceptions: sum('exceptions'),
    by,
  };
}

function compareLines(a: TotalsLine, b: TotalsLine): number {
  return compareBytes(a.source, b.source) || compareBytes(a.content_type, b.content_type);
}

/** Where two sets of control totals part: a term of the whole, or of one (source, content type). */
export type TotalsDifference = { readonly what: string; readonly expected: number; readonly found: number };

const WHOLE = ['revisions', 'decisions', 'deduplicated', 'exceptions'] as const;
const TERMS = ['revisions', 'decisions', 'exceptions', 'allow', 'review', 'restrict'] as const;

/** @returns every term that differs; none where both are the same, lines in the same order included. */
export function compareTotals(expected: ControlTotals, found: ControlTotals): TotalsDifference[] {
  const differences: TotalsDifference[] = [];
  const note = (what: string, a: number, b: number) => {
    if (a !== b) differences.push({ what, expected: a, found: b });
  };
  for (const term of WHOLE) note(term, expected[term], found[term]);
  const other = new Map(found.by.map((line) => [keyOf(line), line]));
  for (const line of expected.by) {
    const match = other.get(keyOf(line)) ?? emptyLine(line.source, line.content_type);
    other.delete(keyOf(line));
    for (const term of TERMS) note(`by ${line.source} ${line.content_type} ${term}`, line[term], match[term]);
  }
  for (const line of other.values()) {
    for (const term of TERMS) note(`by ${line.source} ${line.content_type} ${term}`, 0, line[term]);
  }
  if (differences.length === 0) note('by', expected.by.length, found.by.length);
  return differences;
}

function keyOf(line: TotalsLine): string {
  return `${line.content_type}\0${line.source}`;
}
