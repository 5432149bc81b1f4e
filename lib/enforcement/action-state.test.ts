import { describe, expect, test } from 'vitest';
import { ACTION_STATES, ACTION_STEPS, ACTIVE_STATES, actionAfter } from './action-state.ts';

const ALLOWED = [
  'proposed -approve-> approved',
  'proposed -reject-> rejected',
  'proposed -withdraw-> withdrawn',
  'approved -apply-> applied',
  'approved -withdraw-> withdrawn',
  'applied -reverse-> reversed',
];

describe('an enforcement action', () => {
  test('moves only along the table of states.md', () => {
    const moves = ACTION_STATES.flatMap((state) =>
      ACTION_STEPS.flatMap((step) => {
        const next = actionAfter(state, step);
        return next ? [`${state} -${step}-> ${next}`] : [];
      }),
    );
    expect(moves.sort()).toEqual([...ALLOWED].sort());
  });

  test('never leaves a state that is not active', () => {
    const active: readonly string[] = ACTIVE_STATES;
    for (const state of ACTION_STATES.filter((one) => !active.includes(one))) {
      expect(ACTION_STEPS.map((step) => actionAfter(state, step))).toEqual(ACTION_STEPS.map(() => null));
    }
  });
});
