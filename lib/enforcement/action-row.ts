import type { Actor } from '../audit/audit.db.ts';
import type { Enforcement } from '../content/status.ts';
import type { ActionState } from './action-state.ts';

/** An action in any state. */
export type Action = {
  readonly id: string;
  readonly contentId: string;
  readonly revision: string;
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly statusVersion: number;
  readonly action: Enforcement;
  readonly state: ActionState;
  readonly label: string | null;
  readonly reasonCode: string | null;
  readonly proposedBy: Actor;
  readonly proposedAt: Date;
  readonly decidedBy: Actor | null;
  readonly decidedAt: Date | null;
  /** The status version whose record says that it is applied. */
  readonly appliedVersion: number | null;
};

/** The columns ACTION_COLUMNS as PostgreSQL gives them. */
export type ActionRow = {
  readonly id: string;
  readonly content_id: string;
  readonly revision: string;
  readonly decision_id: string;
  readonly policy_version: string;
  readonly status_version: number;
  readonly action: Enforcement;
  readonly state: ActionState;
  readonly label: string | null;
  readonly reason_code: string | null;
  readonly proposed_by: Actor;
  readonly proposed_at: Date;
  readonly decided_by: Actor | null;
  readonly decided_at: Date | null;
  readonly applied_version: number | null;
};

/** @returns the action of a row. */
export function toAction(row: ActionRow): Action {
  return {
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
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    appliedVersion: row.applied_version,
  };
}
