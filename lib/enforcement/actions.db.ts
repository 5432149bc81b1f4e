import type { Actor } from '../audit/audit.db.ts';
import type { LockedContent } from '../content/status.db.ts';
import type { Enforcement } from '../content/status.ts';
import type { Queryable, Tx } from '../db/pool.db.ts';
import { type Action, type ActionRow, toAction } from './action-row.ts';
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
export type ActiveAction = Action & {
  readonly state: ActiveState;
  /** The role its proposer reviewed with; null where a policy proposed it. */
  readonly proposerRole: string | null;
};

type ActiveRow = ActionRow & { readonly state: ActiveState; readonly proposer_role: string | null };

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
  const { rows } = await db.query<ActiveRow>(ACTIVE_ACTIONS, [[...new Set(contentIds)]]);
  return new Map(
    rows.map((row) => [row.content_id, { ...toAction(row), state: row.state, proposerRole: row.proposer_role }]),
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
