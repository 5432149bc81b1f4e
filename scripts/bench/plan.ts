import path from 'node:path';
import type { Databases } from './databases.ts';
import type { Stub } from './stub-process.ts';

/** What is asked of the benchmark. */
export type Plan = {
  readonly sections: readonly string[];
  readonly items: number;
  readonly rounds: number;
  readonly peers: boolean;
  /** Keeps results and what may be used again. */
  readonly folder: string;
  /** Is gone afterwards. */
  readonly work: string;
};

/** @returns where the server of this benchmark lives; scripts/bench.mjs starts it there. */
export const serverFolder = (plan: Plan): string => path.join(plan.folder, 'postgres');

/** What every section has at hand. */
export type Bench = {
  readonly plan: Plan;
  readonly databases: Databases;
  readonly stub: Stub;
  /** What is being done, for whoever watches. */
  say(line: string): void;
};
