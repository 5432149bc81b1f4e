import { describe, expect, test } from 'vitest';
import {
  BORN_CLOSED,
  ITEM_STATES,
  ITEM_STEPS,
  type ItemState,
  type ItemStep,
  isBornClosed,
  itemAfter,
} from './item-state.ts';

const ALLOWED: Record<ItemState, Partial<Record<ItemStep, ItemState>>> = {
  pending: { lease: 'leased', close: 'failed_review' },
  leased: { give_back: 'pending', classify: 'classified', fail: 'failed_review', close: 'failed_review' },
  classified: { export: 'exported' },
  exported: { export: 'exported' },
  failed_review: { requeue: 'pending' },
};

describe('what may follow what for a work item', () => {
  const cells = ITEM_STATES.flatMap((state) => ITEM_STEPS.map((step) => [state, step] as const));
  test.each(cells)('%s, %s', (state, step) => {
    expect(itemAfter(state, step)).toBe(ALLOWED[state][step] ?? null);
  });
});

test('the codes that open no case are those where nothing is left to decide', () => {
  expect([...BORN_CLOSED].sort()).toEqual(['cancelled', 'decided_by_person', 'thread_closed', 'withdrawn']);
  expect(isBornClosed('timeout')).toBe(false);
});
