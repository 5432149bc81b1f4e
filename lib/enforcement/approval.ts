import { may, type Role } from '../access/roles.ts';
import { outranks, type Rank, type StatusState } from '../content/status.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import type { ActionState } from './action-state.ts';

/** Whether a person may decide on a proposed action: the whole rule, without a database. */

export type ApprovalFacts = {
  readonly role: Role;
  readonly userId: string;
  /** The revision the person has read. */
  readonly readRevision: string;
  readonly action: { readonly state: ActionState; readonly revision: string; readonly proposedBy: string };
  readonly content: StatusState & { readonly currentRevision: string };
};

export type ApprovalRefusal =
  | 'role_changed'
  | 'own_proposal'
  | 'already_decided'
  | 'removed'
  | 'stale_revision'
  | 'outranked';

/**
 * Judges a person's decision on a proposal, whichever way it goes: who asked for something decides it neither way.
 * @returns the rank they decide with; or `role_changed` (this role decides no actions), `own_proposal`,
 * `already_decided` (it is no longer proposed), `removed`, `stale_revision`, `outranked` (a higher rank set the status).
 */
export function judgeApproval(facts: ApprovalFacts): Result<Rank, ApprovalRefusal> {
  const { role, action, content } = facts;
  if (role === 'manager' || !may(role, 'action.decide')) return refused('role_changed', { role });
  if (action.proposedBy === `user:${facts.userId}`) return refused('own_proposal');
  if (action.state !== 'proposed') return refused('already_decided', { state: action.state });
  if (content.status === 'removed') return refused('removed');
  if (content.currentRevision !== action.revision || facts.readRevision !== action.revision) {
    return refused('stale_revision');
  }
  if (outranks(content.rank, role)) return refused('outranked', { rank: content.rank });
  return ok(role);
}
