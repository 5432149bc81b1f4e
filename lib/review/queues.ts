import type { CaseKind, Tier } from './case-state.ts';

/** The queues people work from, and which cases belong to each. */
export const QUEUES = ['review', 'failed', 'moderator'] as const;
export type Queue = (typeof QUEUES)[number];

/** `review`: the machine was not sure or wants a restriction looked at. `failed`: it gave no opinion. `moderator`: escalated. */
export const QUEUE_CASES: Readonly<Record<Queue, { readonly tier: Tier; readonly kind: CaseKind | null }>> = {
  review: { tier: 'reviewer', kind: 'decision' },
  failed: { tier: 'reviewer', kind: 'exception' },
  moderator: { tier: 'moderator', kind: null },
};
