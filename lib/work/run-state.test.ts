import { describe, expect, test } from 'vitest';
import { isUnfinished, RUN_STATES, RUN_STEPS, type RunState, type RunStep, runAfter } from './run-state.ts';

const ALLOWED: Record<RunState, Partial<Record<RunStep, RunState>>> = {
  waiting: { go: 'running', requeue: 'running', cancel: 'cancelled' },
  running: { pause: 'paused', canary_ended: 'waiting', complete: 'complete', requeue: 'running', cancel: 'cancelled' },
  paused: { resume: 'running', requeue: 'paused', cancel: 'cancelled' },
  complete: { requeue: 'running' },
  cancelled: {},
};

describe('what may follow what for a run', () => {
  const cells = RUN_STATES.flatMap((state) => RUN_STEPS.map((step) => [state, step] as const));
  test.each(cells)('%s, %s', (state, step) => {
    expect(runAfter(state, step)).toBe(ALLOWED[state][step] ?? null);
  });
});

test('a cancelled run stays cancelled, and only a requeue brings a complete one back', () => {
  expect(RUN_STEPS.filter((step) => runAfter('cancelled', step) !== null)).toEqual([]);
  expect(RUN_STEPS.filter((step) => runAfter('complete', step) !== null)).toEqual(['requeue']);
});

test('exactly the states that can still be cancelled are unfinished', () => {
  for (const state of RUN_STATES) expect(isUnfinished(state)).toBe(runAfter(state, 'cancel') !== null);
});
