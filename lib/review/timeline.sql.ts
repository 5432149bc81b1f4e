/** Each part of the history of one content item, oldest first. $2 is how many rows of each at most, the newest. */

export const TIMELINE_ARRIVALS = `
  SELECT * FROM (
    SELECT r.revision, r.seq, r.text_sha256, r.code_points, r.created_at, r.arrived_at AS at
    FROM revision r WHERE r.content_id = $1 ORDER BY r.seq DESC LIMIT $2) newest ORDER BY seq`;

export const TIMELINE_DECISIONS = `
  SELECT * FROM (
    SELECT d.decision_id, d.revision, d.policy_version, d.classifier, d.model, d.verdict, d.because, d.committed_at AS at
    FROM decision d WHERE d.content_id = $1 ORDER BY d.committed_at DESC, d.decision_id LIMIT $2) newest
  ORDER BY at, decision_id`;

/** Every work item of the item that ended without a decision, found by the key each run has for its revisions. */
export const TIMELINE_EXCEPTIONS = `
  SELECT * FROM (
    SELECT w.id, w.decision_id, w.revision, n.policy_version, w.failure_code, w.failed_at AS at
    FROM revision v CROSS JOIN run n
    JOIN work_item w ON w.run_id = n.id AND w.content_id = v.content_id AND w.revision = v.revision
    WHERE v.content_id = $1 AND w.state = 'failed_review' ORDER BY w.failed_at DESC, w.id LIMIT $2) newest
  ORDER BY at, id`;

/** Claims come and go without saying anything about the content; every other event of its cases is shown. */
export const TIMELINE_CASE_EVENTS = `
  SELECT * FROM (
    SELECT e.id, e.case_id, k.revision, k.policy_version, k.mode, e.kind, e.actor, u.name AS actor_name, e.data, e.at
    FROM review_case k
    JOIN case_event e ON e.case_id = k.id AND e.kind NOT IN ('claimed', 'released', 'expired')
    LEFT JOIN app_user u ON 'user:' || u.id::text = e.actor
    WHERE k.content_id = $1 ORDER BY e.id DESC LIMIT $2) newest
  ORDER BY id`;

export const TIMELINE_ACTIONS = `
  SELECT * FROM (
    SELECT a.id, a.revision, a.policy_version, a.status_version, a.action, a.state, a.label, a.reason_code,
           a.proposed_by, a.proposed_at, a.decided_by, a.decided_at, a.applied_at, a.applied_version, a.closed_at,
           a.closed_as,
           (SELECT u.name FROM app_user u WHERE 'user:' || u.id::text = a.proposed_by) AS proposer_name,
           (SELECT u.name FROM app_user u WHERE 'user:' || u.id::text = a.decided_by) AS decider_name,
           (SELECT string_agg(n.text, E'\\n\\n' ORDER BY n.at) FROM note n
            WHERE n.kind = 'action' AND n.subject = 'action:' || a.id::text) AS note
    FROM enforcement_action a WHERE a.content_id = $1 ORDER BY a.proposed_at DESC, a.id LIMIT $2) newest
  ORDER BY proposed_at, id`;

export const TIMELINE_RECORDS = `
  SELECT * FROM (
    SELECT r.version, r.revision, r.prior_status, r.prior_rank, r.prior_action, r.next_status, r.next_rank,
           r.next_action, r.actor, u.name AS actor_name, r.reason, r.answers, r.decision_id, r.at,
           (SELECT a.id FROM enforcement_action a WHERE a.content_id = r.content_id AND a.status_version = r.version
              AND a.decision_id = r.decision_id) AS proposal_id,
           (SELECT string_agg(n.text, E'\\n\\n' ORDER BY n.at) FROM note n
            WHERE n.kind = 'record' AND n.subject = 'record:' || r.content_id || ':' || r.version::text) AS note
    FROM rollback_record r LEFT JOIN app_user u ON 'user:' || u.id::text = r.actor
    WHERE r.content_id = $1 ORDER BY r.version DESC LIMIT $2) newest
  ORDER BY version`;
