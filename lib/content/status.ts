/** What a content item's status may be, who set it, and what may follow what within one revision. */

export const CONTENT_STATUSES = ['pending', 'published', 'held', 'restricted', 'removed'] as const;
export type ContentStatus = (typeof CONTENT_STATUSES)[number];

/** Who set a status, from least to most: an equal or higher rank may write over it. */
export const RANKS = ['policy', 'reviewer', 'moderator', 'owner'] as const;
export type Rank = (typeof RANKS)[number];

/** Reversible enforcement. Each of them gives status restricted. */
export const ENFORCEMENTS = ['hide', 'limit', 'label'] as const;
export type Enforcement = (typeof ENFORCEMENTS)[number];

/** `action` is there exactly where status is restricted. */
export type StatusState = {
  readonly status: ContentStatus;
  readonly rank: Rank;
  readonly action: Enforcement | null;
};

/** @returns true where `by` stands strictly above `than`. */
export function outranks(by: Rank, than: Rank): boolean {
  return RANKS.indexOf(by) > RANKS.indexOf(than);
}

/**
 * A policy only tightens: pending may become anything but removed, published may become restricted. Its allow never
 * lifts held or restricted.
 */
export function policyMay(from: ContentStatus, to: ContentStatus): boolean {
  if (from === 'pending') return to === 'published' || to === 'held' || to === 'restricted';
  return from === 'published' && to === 'restricted';
}

/** @returns true where both states are the same in status, rank and action. */
export function sameState(a: StatusState, b: StatusState): boolean {
  return a.status === b.status && a.rank === b.rank && a.action === b.action;
}
