/** Where a process is killed: the named barriers, in the order in which an item passes them. */
export const WORK_BARRIERS = [
  'after_lease',
  'after_attempt_rows',
  'during_call',
  'after_answer_before_commit',
  'during_commit',
] as const;
export const EXPORT_BARRIERS = ['during_export', 'before_rename', 'between_rename_and_marking'] as const;
export const BARRIERS = [...WORK_BARRIERS, ...EXPORT_BARRIERS] as const;

export type WorkBarrier = (typeof WORK_BARRIERS)[number];
export type ExportBarrier = (typeof EXPORT_BARRIERS)[number];
export type Barrier = (typeof BARRIERS)[number];

/**
 * What the database makes of the statement in which a process died. `completed`: the server had got it and ends it without
 * its client. `lost`: the server notices the death first and rolls back. Both happen; a barrier that allows both gets them
 * in turn.
 */
export type Aftermath = 'completed' | 'lost';

const AFTERMATHS: Readonly<Record<Barrier, readonly Aftermath[]>> = {
  after_lease: ['lost'],
  after_attempt_rows: ['completed'],
  during_call: ['lost'],
  after_answer_before_commit: ['lost', 'completed'],
  during_commit: ['completed', 'lost'],
  during_export: ['lost'],
  before_rename: ['completed', 'lost'],
  between_rename_and_marking: ['lost', 'completed'],
};

/** @returns how the database ends the statement of the `nth` victim (from 0) at a barrier. */
export function aftermathOf(barrier: Barrier, nth: number): Aftermath {
  const ways = AFTERMATHS[barrier];
  return ways[nth % ways.length] ?? 'lost';
}

export function isWorkBarrier(barrier: Barrier): barrier is WorkBarrier {
  return (WORK_BARRIERS as readonly string[]).includes(barrier);
}
