/** The one predicate of what waits for an approval: the count and the list use it. */
export const WAITING = `
  a.state = 'proposed' AND c.current_revision = a.revision AND c.status <> 'removed'`;

export const COUNT_APPROVALS = `
  SELECT count(*) AS count, min(a.proposed_at) AS oldest_at,
         extract(epoch FROM clock_timestamp() - min(a.proposed_at)) * 1000 AS oldest_age_ms
  FROM enforcement_action a JOIN content_item c ON c.content_id = a.content_id
  WHERE ${WAITING}`;

const COLUMNS = `
  a.id, a.content_id, a.revision, a.decision_id, a.policy_version, a.status_version, a.action, a.state, a.label,
  a.reason_code, a.proposed_by, a.proposed_at, a.decided_by, a.decided_at, a.applied_at, a.applied_version, a.closed_at,
  a.closed_as, c.source, c.content_type, c.status, c.status_rank, c.status_action, c.status_version AS content_version,
  c.current_revision, s.enforcement_open,
  extract(epoch FROM clock_timestamp() - a.proposed_at) * 1000 AS age_ms,
  (SELECT u.name FROM app_user u WHERE 'user:' || u.id::text = a.proposed_by) AS proposer_name,
  (SELECT u.name FROM app_user u WHERE 'user:' || u.id::text = a.decided_by) AS decider_name`;
const FROM = `
  FROM enforcement_action a
  JOIN content_item c ON c.content_id = a.content_id
  JOIN source s ON s.name = c.source
  LEFT JOIN revision_text t ON t.content_id = a.content_id AND t.revision = a.revision`;

/** Oldest first. $1, $2 the place to go on after, $3 limit, $4 excerpt. */
export const LIST_APPROVALS = `
  SELECT ${COLUMNS}, left(t.title, $4) AS title, left(t.text, $4) AS text, length(t.text) > $4 AS text_cut
  ${FROM}
  WHERE ${WAITING} AND ($1::timestamptz IS NULL OR (a.proposed_at, a.id) > ($1::timestamptz, $2::uuid))
  ORDER BY a.proposed_at, a.id LIMIT $3`;

export const SELECT_APPROVAL = `
  SELECT ${COLUMNS}, t.title, t.text, false AS text_cut ${FROM} WHERE a.id = $1`;
