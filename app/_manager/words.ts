import type { PaceReason } from '@/lib/work/pace.ts';
import type { PauseReason, RunMode } from '@/lib/work/run-state.ts';

/** Runs and their states in plain words. */

const PAUSES: Readonly<Record<PauseReason, string>> = {
  operator: 'It was paused by hand.',
  config_error: 'The classifier refuses how it is asked: its key, address or settings are wrong.',
  model_mismatch: 'The classifier answers with another model than the policy names.',
  quota_exhausted: 'The classifier says that the quota is used up.',
  bad_upstream: 'Something other than the classifier answers, several times in a row.',
  ceiling: 'The next call would pass the approved ceiling of units.',
  incident: 'An incident stopped it.',
};

/** @returns why a run stands still, as a sentence. */
export function pauseSentence(reason: string): string {
  return PAUSES[reason as PauseReason] ?? `It stopped with the code ${reason}.`;
}

const MODES: Readonly<Record<RunMode, string>> = {
  record: 'record mode: changes no status',
  hold: 'hold mode: proposes, people decide',
  enforce: 'enforce mode',
};

/** @returns what a mode means, in few words. */
export function modeWords(mode: RunMode): string {
  return MODES[mode];
}

const PACES: Readonly<Record<PaceReason, string>> = {
  start: 'it has just begun',
  steady: 'the service bears it well, and the bound is reached',
  raised: 'the service bears it well, so it goes up step by step',
  rate_limited: 'the service asked for fewer calls',
  latency: 'answers became slower',
  invalid_answers: 'more answers than usual were no good',
  faults: 'calls failed',
  breaker_open: 'the service failed so often that it is left alone, for half a minute at most',
  breaker_probe: 'one call finds out whether the service is back',
};

/** @returns why a worker makes as many calls at a time as it does. */
export function paceWords(why: PaceReason): string {
  return PACES[why];
}

const QUEUES = { review: 'Review', failed: 'Failed', moderator: 'Escalated', approvals: 'Approvals' } as const;

/** @returns a queue's name as the header has it. */
export function queueName(queue: keyof typeof QUEUES): string {
  return QUEUES[queue];
}
