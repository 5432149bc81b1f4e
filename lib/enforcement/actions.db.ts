import type { Actor } from '../audit/audit.db.ts';
import type { LockedContent } from '../content/status.db.ts';
import type { Enforcement } from '../content/status.ts';
import type { Queryable, Tx } from '../db/pool.db.ts';
import type { ActiveState, Withdrawal } from './action-state.ts';
import { ACTIVE_ACTIONS, INSERT_PROPOSALS, WITHDRAW_ACTIONS } from './actions.sql.ts';

/** A restriction somebody asks for; a moderator or the owner decides on it. */
export type Proposal = {
  readonly content: LockedContent;
  /** The version of the record written together with the proposal; left out where the proposal writes none. */
  readonly statusVersion?: number;
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly action: Enforcement;
  readonly label: string | null;
  readonly reasonCode: string | null;
  readonly proposedBy: Actor;
};

/** An action that is proposed, approved or applied. */
export type ActiveAction = {
  readonly id: string;
  readonly contentId: string;
  readonly revision: string;
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly statusVersion: number;
  readonly action: Enforcement;
  readonly state: ActiveState;
  readonly label: string | null;
  readonly reasonCode: string | null;
  readonly proposedBy: Actor;
  /** The role its proposer reviewed with; null where a policy proposed it. */
  readonly proposerRole: string | null;
  readonly proposedAt: Date;
  readonly decidedBy: Actor | null;
  readonly appliedVersion: number | null;
};

type ActionRow = {
  id: string;
  content_id: string;
  revision: string;
  decision_id: string;
  policy_version: string;
  status_version: number;
  action: Enforcement;
  state: ActiveState;
  label: string | null;
  reason_code: string | null;
  proposed_by: Actor;
  proposer_role: string | null;
  proposed_at: Date;
  decided_by: Actor | null;
  applied_version: number | null;
};

/**
 * Step: proposes at most one action for each content item, which the caller has locked and found without an active one
 * (`activeActions`, after withdrawing what is replaced).
 * @returns the ids, in the order given.
 * @throws where an item has an active action already: a bug of the caller.
 */
export async function proposeActions(tx: Tx, proposals: readonly Proposal[]): Promise<string[]> {
  if (proposals.length === 0) return [];
  const { rows } = await tx.query<{ id: string; content_id: string }>(INSERT_PROPOSALS, [
    proposals.map((one) => one.content.contentId),
    proposals.map((one) => one.content.currentRevision),
    proposals.map((one) => one.decisionId),
    proposals.map((one) => one.policyVersion),
    proposals.map((one) => one.statusVersion ?? one.content.version),
    proposals.map((one) => one.action),
    proposals.map((one) => one.label),
    proposals.map((one) => one.reasonCode),
    proposals.map((one) => one.proposedBy),
  ]);
  const byContent = new Map(rows.map((row) => [row.content_id, row.id]));
  return proposals.map((one) => {
    const id = byContent.get(one.content.contentId);
    if (!id) throw new Error('a proposal was not stored');
    return id;
  });
}

/**
 * The action that is proposed, approved or applied on each of these items. It changes only under the item's row lock,
 * so that inside a transaction that holds the lock the answer stays true.
 * @returns by content_id; items without one are absent.
 */
export async function activeActions(db: Queryable, contentIds: readonly string[]): Promise<Map<string, ActiveAction>> {
  if (contentIds.length === 0) return new Map();
  const { rows } = await db.query<ActionRow>(ACTIVE_ACTIONS, [[...new Set(contentIds)]]);
  return new Map(
    rows.map((row) => [
      row.content_id,
      {
        id: row.id,
        contentId: row.content_id,
        revision: row.revision,
        decisionId: row.decision_id,
        policyVersion: row.policy_version,
        statusVersion: row.status_version,
        action: row.action,
        state: row.state,
        label: row.label,
        reasonCode: row.reason_code,
        proposedBy: row.proposed_by,
        proposerRole: row.proposer_role,
        proposedAt: row.proposed_at,
        decidedBy: row.decided_by,
        appliedVersion: row.applied_version,
      },
    ]),
  );
}

/**
 * Step: takes proposals and approvals back that something newer has overtaken. The caller holds their content locks.
 * @returns the ids that were withdrawn; one that is applied or closed stays as it is and is not among them.
 */
export async function withdrawActions(
  tx: Tx,
  { actionIds, closedAs }: { readonly actionIds: readonly string[]; readonly closedAs: Withdrawal },
): Promise<string[]> {
  if (actionIds.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(WITHDRAW_ACTIONS, [actionIds, closedAs]);
  return rows.map((row) => row.id);
}
