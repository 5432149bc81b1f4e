import { consequence, type FailureCode, isServiceFault } from '../classifier/failure.ts';
import { wilsonInterval } from '../kernel/wilson.ts';

/**
 * How many calls at once a worker allows itself for a run, within the operator's bound: additive increase and
 * multiplicative decrease (Chiu and Jain, 1989), with a slow start. Pure: a state and what each result makes of it.
 */

/** A run begins with so many calls at once, or its bound where that is lower; clean rounds double it. */
export const PACE_START_COUNT = 16;
/** A faulty or limited service is asked half as much; a slow one three quarters as much. */
const FAULT_FACTOR = 0.5;
const LATENCY_FACTOR = 0.75;
/** A round whose median latency is above this multiple of the best one, and so many ms above it, is slow. */
const SLOW_RATIO = 2;
const SLOW_ABOVE_MS = 25;
/** The best median ages by this factor a round, so that a service which has become slower for good is accepted. */
const BEST_AGES = 1.02;
/** Rounds this small say nothing about a share of invalid answers. */
const INVALID_SAMPLE_COUNT = 20;
/** Results a round has at least, so that one slow call at low concurrency is no trend. */
const ROUND_MIN_COUNT = 8;

export const PACE_REASONS = [
  'start',
  'steady',
  'raised',
  'rate_limited',
  'latency',
  'invalid_answers',
  'faults',
  'breaker_open',
  'breaker_probe',
] as const;
export type PaceReason = (typeof PACE_REASONS)[number];

export type Pace = {
  readonly bound: number;
  /** Calls at once, from 1 to bound. */
  readonly atOnce: number;
  readonly why: PaceReason;
  /** Rises with every decrease. What was called before one is an echo of the pace that was, and lowers nothing again. */
  readonly epoch: number;
  /** Until the first decrease every clean round doubles. */
  readonly slowStart: boolean;
  /** Of the round under way. */
  readonly latencies: readonly number[];
  readonly answered: number;
  readonly invalid: number;
  /** Lowest median latency of a round, ageing; null before the first round. */
  readonly bestMs: number | null;
  /** Of all rounds that are over: what is usual. */
  readonly usual: { readonly answered: number; readonly invalid: number };
};

/** One result as pacing sees it. */
export type Observed = {
  readonly outcome: 'ok' | FailureCode;
  /** Of one request on average, in ms. */
  readonly latencyMs: number;
  /** The epoch when the call began. */
  readonly epoch: number;
};

/** @returns the pace of a run that begins. @param bound 1 or more. */
export function startPace(bound: number): Pace {
  return {
    bound,
    atOnce: Math.min(bound, PACE_START_COUNT),
    why: 'start',
    epoch: 0,
    slowStart: true,
    latencies: [],
    answered: 0,
    invalid: 0,
    bestMs: null,
    usual: { answered: 0, invalid: 0 },
  };
}

/** @returns the pace under another bound: lowered at once, raised step by step. */
export function withBound(pace: Pace, bound: number): Pace {
  if (bound === pace.bound) return pace;
  return { ...pace, bound, atOnce: Math.min(pace.atOnce, bound) };
}

/**
 * Takes one result into account.
 * @returns the pace afterwards, always from 1 to its bound. A limit, a fault, a slow round and a rise in invalid answers
 * lower it, at most once for the calls of one epoch; a clean round raises it.
 */
export function observe(pace: Pace, { outcome, latencyMs, epoch }: Observed): Pace {
  const current = epoch === pace.epoch;
  if (current && outcome === 'rate_limited') return lowered(pace, FAULT_FACTOR, 'rate_limited');
  if (current && isServiceFault(outcome)) return lowered(pace, FAULT_FACTOR, 'faults');
  const isAnswer = outcome === 'ok' || consequence(outcome).groupRises;
  if (!current || !isAnswer) return pace;
  const next = {
    ...pace,
    latencies: [...pace.latencies, latencyMs],
    answered: pace.answered + 1,
    invalid: pace.invalid + (outcome === 'ok' ? 0 : 1),
  };
  return next.answered < Math.max(pace.atOnce, ROUND_MIN_COUNT) ? next : afterRound(next);
}

function afterRound(pace: Pace): Pace {
  const medianMs = median(pace.latencies);
  const bestMs = Math.min(pace.bestMs === null ? medianMs : pace.bestMs * BEST_AGES, medianMs);
  // Shares of small rounds are gathered until there is something to say.
  const enough = pace.answered >= INVALID_SAMPLE_COUNT;
  if (enough && invalidRose(pace)) return { ...lowered(pace, FAULT_FACTOR, 'invalid_answers'), bestMs };
  const usual = {
    answered: pace.usual.answered + pace.answered,
    invalid: pace.usual.invalid + pace.invalid,
  };
  if (medianMs > bestMs * SLOW_RATIO && medianMs > bestMs + SLOW_ABOVE_MS) {
    return { ...lowered(pace, LATENCY_FACTOR, 'latency'), bestMs, usual };
  }
  const atOnce = Math.min(pace.bound, pace.slowStart ? pace.atOnce * 2 : pace.atOnce + 1);
  const why = atOnce > pace.atOnce ? 'raised' : 'steady';
  return { ...pace, ...EMPTY_ROUND, atOnce, why, bestMs, usual };
}

/**
 * A rise is certain where even the lower end of the round's 95 % interval (Wilson) lies above what has been usual, at
 * least twice it. The first rounds are compared with none at all.
 */
function invalidRose({ answered, invalid, usual }: Pace): boolean {
  if (invalid === 0) return false;
  const share = usual.answered === 0 ? 0 : usual.invalid / usual.answered;
  const interval = wilsonInterval(invalid, answered);
  return interval !== null && interval.low > Math.max(2 * share, 0.02);
}

const EMPTY_ROUND = { latencies: [], answered: 0, invalid: 0 } as const;

function lowered(pace: Pace, factor: number, why: PaceReason): Pace {
  const atOnce = Math.max(1, Math.floor(pace.atOnce * factor));
  return { ...pace, ...EMPTY_ROUND, atOnce, why, epoch: pace.epoch + 1, slowStart: false };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
