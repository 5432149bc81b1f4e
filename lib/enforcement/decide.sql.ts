import { ACTION_COLUMNS } from './actions.sql.ts';

export const SELECT_ACTION = `SELECT ${ACTION_COLUMNS} FROM enforcement_action a WHERE a.id = $1`;

/** Taken after the content item's lock, never before. */
export const LOCK_ACTION = `${SELECT_ACTION} FOR UPDATE`;

export const APPROVE_ACTION = `
  UPDATE enforcement_action SET state = 'approved', decided_by = $2, decided_at = clock_timestamp()
  WHERE id = $1 AND state = 'proposed'`;

export const APPLY_ACTION = `
  UPDATE enforcement_action SET state = 'applied', applied_at = clock_timestamp(), applied_version = $2
  WHERE id = $1 AND state = 'approved'`;

export const REJECT_ACTION = `
  UPDATE enforcement_action
  SET state = 'rejected', decided_by = $2, decided_at = clock_timestamp(), closed_at = clock_timestamp(), closed_as = $3
  WHERE id = $1 AND state = 'proposed'`;

export const REVERSE_ACTION = `
  UPDATE enforcement_action SET state = 'reversed', closed_at = clock_timestamp(), closed_as = $2
  WHERE id = $1 AND state = 'applied'`;

/** The action that was reversed at a version comes back as a new row: proposed and approved by whom it was then. */
export const REINSTATE_ACTION = `
  INSERT INTO enforcement_action (content_id, revision, decision_id, policy_version, status_version, action, state,
                                  label, reason_code, proposed_by, proposed_at, decided_by, decided_at, applied_at,
                                  applied_version)
  SELECT a.content_id, a.revision, a.decision_id, a.policy_version, $2, a.action, 'applied', a.label, a.reason_code,
         a.proposed_by, a.proposed_at, a.decided_by, a.decided_at, clock_timestamp(), $2
  FROM enforcement_action a
  WHERE a.content_id = $1 AND a.state = 'reversed'
  ORDER BY a.closed_at DESC, a.applied_version DESC LIMIT 1
  RETURNING id`;

/** Approved actions that wait for their source's switch and whose revision is still the one that was approved. */
export const WAITING_APPROVED = `
  SELECT a.id
  FROM enforcement_action a
  JOIN content_item c ON c.content_id = a.content_id AND c.current_revision = a.revision AND c.status <> 'removed'
  JOIN source s ON s.name = c.source AND s.enforcement_open
  WHERE a.state = 'approved'
  ORDER BY a.decided_at, a.id LIMIT $1`;

/**
 * Proposals and approvals of revisions that are no longer current. The content item is locked with its action, so that an
 * act under the item's lock can trust what it has read of the action; what another act holds waits for the next pass.
 */
export const WITHDRAW_SUPERSEDED = `
  UPDATE enforcement_action SET state = 'withdrawn', closed_at = clock_timestamp(), closed_as = 'superseded'
  WHERE id = ANY(ARRAY(
    SELECT a.id FROM enforcement_action a JOIN content_item c ON c.content_id = a.content_id
    WHERE a.state IN ('proposed', 'approved') AND c.current_revision <> a.revision
    ORDER BY a.id LIMIT $1 FOR UPDATE OF c, a SKIP LOCKED))
  RETURNING id`;
