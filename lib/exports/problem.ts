/** What `verify` can find wrong with a bundle. */
export const PROBLEM_CODES = [
  'missing_file',
  'extra_file',
  'bad_manifest',
  'bad_hash',
  'bad_size',
  'bad_rows',
  'bad_row',
  'bad_order',
  'duplicate',
  'bad_decision_id',
  'bad_total',
  'bad_snapshot',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** One thing that is wrong. It names places, counts and hashes, never what a row says. */
export type Problem = {
  readonly code: ProblemCode;
  /** Name of the file inside the bundle. */
  readonly file: string;
  /** Counted from 1; null where the file as a whole is meant. */
  readonly line: number | null;
  /** What the manifest or the rule says, and what was found, where both are counts or hashes. */
  readonly expected?: string | number;
  readonly found?: string | number;
  /** Which member, term or rule: `control_totals.decisions`, `verdict`. */
  readonly what?: string;
};

/** Problems that are listed; all of them are counted. */
export const PROBLEMS_LISTED_MAX = 1_000;

/** Collects problems in bounded memory, however broken a bundle is. */
export type Problems = {
  add(problem: Problem): void;
  readonly list: readonly Problem[];
  readonly count: number;
};

/** @returns an empty collection. */
export function collectProblems(): Problems {
  const list: Problem[] = [];
  let count = 0;
  return {
    add(problem) {
      count++;
      if (list.length < PROBLEMS_LISTED_MAX) list.push(problem);
    },
    get list() {
      return list;
    },
    get count() {
      return count;
    },
  };
}
