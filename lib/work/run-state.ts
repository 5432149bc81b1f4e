/** What may follow what for a run: one table, tested as a table. */

export const RUN_STATES = ['waiting', 'running', 'paused', 'complete', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_MODES = ['record', 'hold', 'enforce'] as const;
export type RunMode = (typeof RUN_MODES)[number];

/** Why a run stands still. All but `operator` are set by the system. */
export const PAUSE_REASONS = [
  'operator',
  'config_error',
  'model_mismatch',
  'quota_exhausted',
  'bad_upstream',
  'ceiling',
  'incident',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/**
 * What may happen to a run. `complete` is done by the system once nothing is pending or leased, `canary_ended` once
 * nothing of its canary is; then somebody gives the `go`.
 */
export const RUN_STEPS = ['pause', 'resume', 'canary_ended', 'go', 'complete', 'requeue', 'cancel'] as const;
export type RunStep = (typeof RUN_STEPS)[number];

const FOLLOWS: Readonly<Record<RunState, Partial<Readonly<Record<RunStep, RunState>>>>> = {
  waiting: { go: 'running', requeue: 'running', cancel: 'cancelled' },
  running: { pause: 'paused', canary_ended: 'waiting', complete: 'complete', requeue: 'running', cancel: 'cancelled' },
  paused: { resume: 'running', requeue: 'paused', cancel: 'cancelled' },
  complete: { requeue: 'running' },
  cancelled: {},
};

/** @returns the state that follows, or null where the step is not allowed. */
export function runAfter(state: RunState, step: RunStep): RunState | null {
  return FOLLOWS[state][step] ?? null;
}

/** @returns true where the run still has or may get work. */
export function isUnfinished(state: RunState): boolean {
  return state === 'waiting' || state === 'running' || state === 'paused';
}
