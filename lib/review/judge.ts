import { may, type Role } from '../access/roles.ts';
import { outranks, RANKS, type Rank, type StatusState } from '../content/status.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import type { CaseMode, Tier } from './case-state.ts';

/** What one review changes, or why it may not: the whole rule, without a database. */

export const REVIEW_VERDICTS = ['allow', 'restrict'] as const;
export type ReviewVerdict = (typeof REVIEW_VERDICTS)[number];

/** The action that stands on the content item, and the rank it stands with. */
export type Standing = { readonly state: 'proposed' | 'approved' | 'applied'; readonly rank: Rank };

export type ReviewFacts = {
  readonly mode: CaseMode;
  readonly tier: Tier;
  readonly caseRevision: string;
  readonly content: StatusState & { readonly currentRevision: string };
  readonly standing: Standing | null;
  readonly role: Role;
  readonly verdict: ReviewVerdict;
};

/**
 * What becomes of the action on the item: `propose` a new one, `replace` the standing proposal by a new one, `withdraw`
 * what stands, `reverse` what is applied, `keep` what stands as the review asks for the same, or `none`.
 */
export type ActionEffect = 'none' | 'propose' | 'replace' | 'withdraw' | 'reverse' | 'keep';

export type Judgement = {
  readonly next: StatusState;
  readonly action: ActionEffect;
  readonly event: 'content.reviewed' | 'content.published' | 'content.held' | 'content.restored';
};

export type JudgeRefusal = 'role_changed' | 'removed' | 'stale_revision' | 'outranked';

/** @returns the rank a role acts with, or null for a role that decides no content. */
export function rankOf(role: Role): Rank | null {
  return role === 'manager' ? null : role;
}

/** @returns true where the role may review a case of this tier. */
export function mayReview(role: Role, tier: Tier): boolean {
  return may(role, tier === 'moderator' ? 'case.review_moderator' : 'case.review');
}

/**
 * The rank an action stands with: its proposer's, and once approved at least a moderator's.
 * @param proposerRole the role its proposer reviewed with; null for a policy.
 */
export function standingRank(state: Standing['state'], proposerRole: string | null): Rank {
  const proposed = RANKS.find((rank) => rank === proposerRole) ?? 'policy';
  return state !== 'proposed' && outranks('moderator', proposed) ? 'moderator' : proposed;
}

/**
 * Judges one triage review against the content item as it is now.
 * @returns what changes; or `role_changed` (this role may not review this case), `removed`, `stale_revision` (the
 * revision that was read is no longer current), `outranked` (an allow over what a higher rank set or asked for).
 */
export function judgeReview(facts: ReviewFacts): Result<Judgement, JudgeRefusal> {
  const rank = rankOf(facts.role);
  if (!rank || !mayReview(facts.role, facts.tier)) return refused('role_changed', { role: facts.role });
  const { content } = facts;
  if (content.status === 'removed') return refused('removed');
  if (content.currentRevision !== facts.caseRevision) return refused('stale_revision');
  const same: StatusState = { status: content.status, rank: content.rank, action: content.action };
  // A record-mode review is compared with the machine and feeds gold: it sets no rank and asks for nothing.
  if (facts.mode === 'record') return ok({ next: same, action: 'none', event: 'content.reviewed' });
  return facts.verdict === 'allow' ? judgeAllow(facts, rank) : ok(judgeRestrict(facts, rank, same));
}

function judgeAllow(facts: ReviewFacts, rank: Rank): Result<Judgement, JudgeRefusal> {
  const { content, standing } = facts;
  if (outranks(content.rank, rank)) return refused('outranked', { rank: content.rank });
  const next: StatusState = { status: 'published', rank, action: null };
  if (content.status === 'restricted') {
    if (standing?.state !== 'applied') return refused('outranked', { rank: content.rank });
    return ok({ next, action: 'reverse', event: 'content.restored' });
  }
  // Who asked for a restriction with a higher rank is not overruled in passing; what an equal asked for is.
  if (standing && outranks(standing.rank, rank)) return refused('outranked', { rank: standing.rank });
  return ok({
    next,
    action: standing ? 'withdraw' : 'none',
    event: content.status === 'published' ? 'content.reviewed' : 'content.published',
  });
}

/** Everyone's restrict is a proposal. It takes no rank, and what waited for a first look is held until it is decided. */
function judgeRestrict(facts: ReviewFacts, rank: Rank, same: StatusState): Judgement {
  const { content, standing } = facts;
  const holds = content.status === 'pending';
  const next: StatusState = holds ? { status: 'held', rank: content.rank, action: null } : same;
  const event = holds ? 'content.held' : 'content.reviewed';
  if (!standing) return { next, action: content.status === 'restricted' ? 'keep' : 'propose', event };
  const replaces = standing.state === 'proposed' && !outranks(standing.rank, rank);
  return { next, action: replaces ? 'replace' : 'keep', event };
}
