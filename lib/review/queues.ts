import type { CaseKind, Tier } from './case-state.ts';

/** The queues people work from, and which cases belong to each. */
export const QUEUES = ['review', 'failed', 'moderator'] as const;
export type Queue = (typeof QUEUES)[number];

/** `review`: the machine was not sure or wants a restriction looked at. `failed`: it gave no opinion. `moderator`: escalated. */
export const QUEUE_CASES: Readonly<Record<Queue, { readonly tier: Tier; readonly kinds: readonly CaseKind[] }>> = {
  review: { tier: 'reviewer', kinds: ['decision'] },
  failed: { tier: 'reviewer', kinds: ['exception'] },
  moderator: { tier: 'moderator', kinds: ['decision', 'exception'] },
};

/** @returns the tier of a queue, and its kind where it has one only; null for cases of either. */
export function tierAndKind(queue: Queue): { tier: Tier; kind: CaseKind | null } {
  const { tier, kinds } = QUEUE_CASES[queue];
  return { tier, kind: kinds.length === 1 ? (kinds[0] ?? null) : null };
}
