import type { FailureCode } from '../classifier/failure.ts';
import { type Interval, wilsonInterval } from '../kernel/wilson.ts';
import type { AskedAll } from './ask-all.ts';
import type { Bar } from './release.ts';

/**
 * What is asked of a classifier before it goes into production. `told`: there is something to know and no bar to hold
 * it against; `unknown`: nobody can say yet, and it stays on the list.
 */
export type Answer = 'yes' | 'no' | 'told' | 'unknown';

export type SchemaAnswer = {
  readonly answer: Answer;
  readonly calls: number;
  readonly usable: number;
  readonly share: number | null;
  readonly interval: Interval | null;
  readonly failureCodes: Readonly<Partial<Record<FailureCode, number>>>;
  readonly stopped: FailureCode | null;
};

/** @returns whether every answer could be used; one that could not is a no, with its code. */
export function schemaAnswer({ answers, stopped }: AskedAll): SchemaAnswer {
  const codes: Partial<Record<FailureCode, number>> = {};
  let usable = 0;
  for (const { result } of answers) {
    if (result.outcome === 'ok') usable += 1;
    else codes[result.outcome] = (codes[result.outcome] ?? 0) + 1;
  }
  const calls = answers.length;
  return {
    answer: calls > 0 && usable === calls ? 'yes' : 'no',
    calls,
    usable,
    share: calls === 0 ? null : usable / calls,
    interval: wilsonInterval(usable, calls),
    failureCodes: codes,
    stopped,
  };
}

/** @returns yes where every bar of the policy is met, no where one is missed, told where it sets none. */
export function qualityAnswer(bars: readonly Bar[] | null): Answer {
  if (bars === null) return 'unknown';
  if (bars.some(({ met }) => met === false)) return 'no';
  if (bars.some(({ met }) => met === null)) return 'unknown';
  return bars.length === 0 ? 'told' : 'yes';
}

export type PaceAsked = {
  /** Calls at once, as planned. */
  readonly concurrency: number;
  /** Texts that wait, where it was said. */
  readonly backlog: number | undefined;
  /** Minutes within which they must be done, where it was said. */
  readonly objectiveMinutes: number | undefined;
};
export type PaceAnswer = {
  readonly answer: Answer;
  readonly concurrency: number;
  readonly calls: number;
  readonly elapsedMs: number;
  readonly perMinute: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly backlog: number | null;
  readonly objectiveMinutes: number | null;
  readonly neededMinutes: number | null;
};

/** So many calls for each place, or the rush at the beginning and the idle places at the end are what is measured. */
export const CALLS_A_PLACE = 2;
const MS_A_MINUTE = 60_000;

/**
 * @returns how fast usable answers came at the planned concurrency, and how long the backlog takes at that pace;
 * unknown where too few calls were made, nothing was usable, or backlog and objective were not said.
 */
export function paceAnswer({ answers, elapsedMs }: AskedAll, asked: PaceAsked): PaceAnswer {
  const usable = answers.filter(({ result }) => result.outcome === 'ok').length;
  const measured = usable > 0 && elapsedMs > 0;
  const perMinute = measured ? (usable * MS_A_MINUTE) / elapsedMs : null;
  const latencies = answers.map(({ latencyMs }) => latencyMs);
  const { concurrency, backlog, objectiveMinutes } = asked;
  const neededMinutes = perMinute === null || backlog === undefined ? null : backlog / perMinute;
  const enough = answers.length >= CALLS_A_PLACE * concurrency;
  const judged = enough && neededMinutes !== null && objectiveMinutes !== undefined;
  return {
    answer: judged ? (neededMinutes <= objectiveMinutes ? 'yes' : 'no') : 'unknown',
    concurrency,
    calls: answers.length,
    elapsedMs,
    perMinute,
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    backlog: backlog ?? null,
    objectiveMinutes: objectiveMinutes ?? null,
    neededMinutes,
  };
}

/** @returns the smallest value that the given share of all values does not exceed; null of none. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** @returns true where answers are kept to the schema and none that is known is a no. */
export function ready(answers: { readonly schema: Answer } & Readonly<Record<string, Answer>>): boolean {
  return answers.schema === 'yes' && Object.values(answers).every((answer) => answer !== 'no');
}
