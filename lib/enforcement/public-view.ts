import type { ContentStatus, Enforcement } from '../content/status.ts';

/** What strangers see of a content item. */
export const PUBLIC_VIEWS = ['shown', 'not_shown', 'hidden', 'limited', 'labelled', 'gone'] as const;
export type PublicView = (typeof PUBLIC_VIEWS)[number];

const OF_ACTION: Readonly<Record<Enforcement, PublicView>> = { hide: 'hidden', limit: 'limited', label: 'labelled' };

/** @param action the action of a restricted item, else null. */
export function publicView(status: ContentStatus, action: Enforcement | null): PublicView {
  switch (status) {
    case 'published':
      return 'shown';
    case 'restricted':
      return action ? OF_ACTION[action] : 'hidden';
    case 'removed':
      return 'gone';
    default:
      return 'not_shown';
  }
}

/** What each answer to a proposal would make of what strangers see. */
export type PublicChange = {
  readonly now: PublicView;
  readonly approved: PublicView;
  /** True where an approval is applied at once; else it waits until the source's switch is opened. */
  readonly appliesAtOnce: boolean;
  readonly released: PublicView;
  readonly backToReview: PublicView;
};

/** @param proposed the action that is proposed. */
export function publicChange(
  now: { readonly status: ContentStatus; readonly action: Enforcement | null; readonly enforcementOpen: boolean },
  proposed: Enforcement,
): PublicChange {
  const view = publicView(now.status, now.action);
  return {
    now: view,
    approved: OF_ACTION[proposed],
    appliesAtOnce: now.enforcementOpen,
    released: 'shown',
    backToReview: view,
  };
}
