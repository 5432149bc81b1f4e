import { may, type Right, type Role } from '@/lib/access/roles.ts';

/** The pages of the desk in the order of the header. A role sees those it may open; each page checks again itself. */
export type NavEntry = {
  readonly href: string;
  readonly name: string;
  readonly right: Right;
  /** The letter after `g`. */
  readonly letter?: string;
  /** Which of the counts stands beside it. */
  readonly count?: 'review' | 'failed' | 'moderator' | 'approvals';
};

const ENTRIES: readonly NavEntry[] = [
  { href: '/queue', name: 'Review', right: 'case.review', letter: 'q', count: 'review' },
  { href: '/queue/failed', name: 'Failed', right: 'case.review', letter: 'f', count: 'failed' },
  { href: '/queue?tier=moderator', name: 'Escalated', right: 'case.review_moderator', letter: 'e', count: 'moderator' },
  { href: '/approvals', name: 'Approvals', right: 'action.decide', letter: 'a', count: 'approvals' },
  { href: '/my/reviews', name: 'My reviews', right: 'case.review', letter: 'm' },
  { href: '/operations', name: 'Operations', right: 'operations.read', letter: 'o' },
  { href: '/runs', name: 'Runs', right: 'run.read', letter: 'r' },
  { href: '/quality', name: 'Quality', right: 'quality.read', letter: 'w' },
  { href: '/exports', name: 'Exports', right: 'export.read', letter: 'x' },
  { href: '/content', name: 'Find content', right: 'content.read', letter: 'c' },
];

/** @returns the entries of a role, in order. */
export function navFor(role: Role): readonly NavEntry[] {
  return ENTRIES.filter((entry) => may(role, entry.right));
}

/** Where each role begins: at the work that waits for it. */
const HOMES: Readonly<Record<Role, string>> = {
  reviewer: '/queue',
  moderator: '/approvals',
  manager: '/operations',
  owner: '/approvals',
};

/** @returns the first page of a role. */
export function homeOf(role: Role): string {
  return HOMES[role];
}
