/** What may follow what for a work item: one table, tested as a table. */

export const ITEM_STATES = ['pending', 'leased', 'classified', 'exported', 'failed_review'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/**
 * What may happen to an item. `give_back` is a retry, an expiry or a shutdown; `fail` a spent budget or a failure that
 * no retry mends; `close` an end without a case: withdrawn, decided by a person, thread closed, cancelled.
 */
export const ITEM_STEPS = ['lease', 'give_back', 'classify', 'fail', 'close', 'export', 'requeue'] as const;
export type ItemStep = (typeof ITEM_STEPS)[number];

/** Exceptions that are born closed: no case, and no requeue, since nothing is left to classify. */
export const BORN_CLOSED = ['withdrawn', 'decided_by_person', 'thread_closed', 'cancelled'] as const;
export type BornClosed = (typeof BORN_CLOSED)[number];

const FOLLOWS: Readonly<Record<ItemState, Partial<Readonly<Record<ItemStep, ItemState>>>>> = {
  pending: { lease: 'leased', close: 'failed_review' },
  leased: { give_back: 'pending', classify: 'classified', fail: 'failed_review', close: 'failed_review' },
  classified: { export: 'exported' },
  exported: { export: 'exported' },
  failed_review: { requeue: 'pending' },
};

/** @returns the state that follows, or null where the step is not allowed. */
export function itemAfter(state: ItemState, step: ItemStep): ItemState | null {
  return FOLLOWS[state][step] ?? null;
}

/** @returns true for an exception code that needs no person. */
export function isBornClosed(code: string): code is BornClosed {
  return (BORN_CLOSED as readonly string[]).includes(code);
}
