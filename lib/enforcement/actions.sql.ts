/** What is read of an action, whoever reads it: see action-row.ts. */
export const ACTION_COLUMNS = `a.id, a.content_id, a.revision, a.decision_id, a.policy_version, a.status_version, a.action,
  a.state, a.label, a.reason_code, a.proposed_by, a.proposed_at, a.decided_by, a.decided_at, a.applied_version`;

/** One row a proposal; the partial unique index refuses a second active one for an item, which would be a bug. */
export const INSERT_PROPOSALS = `
  INSERT INTO enforcement_action (content_id, revision, decision_id, policy_version, status_version, action, label,
                                  reason_code, proposed_by)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                       $9::text[])
  RETURNING id, content_id`;

/**
 * The active action of each item. The rank of its proposer is the one the review that proposed it was given with: a
 * change of role since then neither raises nor lowers what was proposed.
 */
export const ACTIVE_ACTIONS = `
  SELECT ${ACTION_COLUMNS},
         (SELECT r.role FROM review r WHERE r.content_id = a.content_id AND r.status_version = a.status_version
            AND a.proposed_by = 'user:' || r.user_id::text) AS proposer_role
  FROM enforcement_action a
  WHERE a.content_id = ANY($1::text[]) AND a.state IN ('proposed', 'approved', 'applied')
  ORDER BY a.content_id`;

export const WITHDRAW_ACTIONS = `
  UPDATE enforcement_action SET state = 'withdrawn', closed_at = clock_timestamp(), closed_as = $2
  WHERE id = ANY($1::uuid[]) AND state IN ('proposed', 'approved')
  RETURNING id`;
