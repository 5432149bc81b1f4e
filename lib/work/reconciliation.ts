import { compareBytes } from '../kernel/text.ts';

/** One count of one term, by source and content type. */
export type TermCount = { readonly source: string; readonly content_type: string; readonly count: number };

/** Every term of a run's equation, each counted on its own. */
export type Terms = {
  /** Members of the snapshot. */
  readonly revisions: readonly TermCount[];
  /** Members as counted when the snapshot closed. */
  readonly control: readonly TermCount[];
  /** Decision rows. */
  readonly decisions: readonly TermCount[];
  /** Items that say they are decided. */
  readonly classified: readonly TermCount[];
  readonly exceptions: readonly TermCount[];
  /** Pending and leased. */
  readonly pending: readonly TermCount[];
  /** Items that say another item committed their decision. */
  readonly deduplicated: readonly TermCount[];
  /** The same as the decisions tell it. */
  readonly foreign: readonly TermCount[];
  /** Items counted where they do not belong. */
  readonly misplaced: readonly TermCount[];
};

export type Difference = {
  readonly source: string;
  readonly content_type: string;
  readonly term: 'revisions' | 'decisions' | 'deduplicated' | 'misplaced' | 'total';
  readonly expected: number;
  readonly counted: number;
};

export type ReconciledSlice = {
  readonly source: string;
  readonly content_type: string;
  readonly revisions: number;
  readonly decisions: number;
  readonly deduplicated: number;
  readonly exceptions: number;
  readonly pending: number;
};

export type Reconciliation = {
  readonly closes: boolean;
  readonly pending: number;
  readonly differences: readonly Difference[];
  readonly by: readonly ReconciledSlice[];
};

/**
 * Compares the terms of a run: `revisions = decisions + exceptions + pending` for every source and content type, and
 * each term against its second witness.
 */
export function reconciled(terms: Terms): Reconciliation {
  const counts = Object.fromEntries(
    Object.entries(terms).map(([term, rows]) => [term, new Map(rows.map((row: TermCount) => [keyOf(row), row.count]))]),
  ) as Record<keyof Terms, Map<string, number>>;
  const differences: Difference[] = [];
  const by = slices(terms).map(([source, contentType]): ReconciledSlice => {
    const of = (term: keyof Terms): number => counts[term].get(keyOf({ source, content_type: contentType })) ?? 0;
    const check = (term: Difference['term'], expected: number, counted: number): void => {
      if (expected !== counted) differences.push({ source, content_type: contentType, term, expected, counted });
    };
    check('revisions', of('control'), of('revisions'));
    check('decisions', of('classified'), of('decisions'));
    check('deduplicated', of('foreign'), of('deduplicated'));
    check('misplaced', 0, of('misplaced'));
    check('total', of('revisions'), of('decisions') + of('exceptions') + of('pending'));
    return {
      source,
      content_type: contentType,
      revisions: of('revisions'),
      decisions: of('decisions'),
      deduplicated: of('deduplicated'),
      exceptions: of('exceptions'),
      pending: of('pending'),
    };
  });
  const pending = by.reduce((sum, slice) => sum + slice.pending, 0);
  return { closes: differences.length === 0, pending, differences, by };
}

function keyOf({ source, content_type }: { source: string; content_type: string }): string {
  return JSON.stringify([source, content_type]);
}

/** Every (source, content type) that any term names, sorted bytewise. */
function slices(terms: Terms): [string, string][] {
  const keys = new Set(Object.values(terms).flatMap((rows) => rows.map(keyOf)));
  return [...keys]
    .map((key) => JSON.parse(key) as [string, string])
    .sort(([a, x], [b, y]) => compareBytes(a, b) || compareBytes(x, y));
}
