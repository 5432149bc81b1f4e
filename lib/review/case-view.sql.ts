export const SELECT_CASE_VIEW = `
  SELECT k.id, k.purpose, k.tier, k.state, k.kind, k.mode, k.content_id, k.revision, k.decision_id, k.policy_version,
         k.run_id, k.reason_code, k.label, k.score, k.opened_by, k.opened_at, k.not_before, k.escalation_reason,
         k.closed_at, k.closed_as, k.claimed_by, k.claimed_at, k.claim_expires_at, k.prefetched, u.name AS claimer_name,
         k.state = 'claimed' AND k.claim_expires_at <= clock_timestamp() AS claim_expired, n.name AS run_name
  FROM review_case k
  LEFT JOIN app_user u ON u.id = k.claimed_by
  LEFT JOIN run n ON n.id = k.run_id
  WHERE k.id = $1`;

export const SELECT_CASE_EVENTS = `
  SELECT e.kind, e.actor, e.data, e.at, u.name AS actor_name,
         CASE WHEN e.kind = 'escalated' THEN
           (SELECT n.text FROM note n WHERE n.kind = 'escalation' AND n.subject = 'case:' || e.case_id::text
              AND n.author = e.actor AND n.at >= e.at ORDER BY n.at LIMIT 1) END AS note
  FROM case_event e LEFT JOIN app_user u ON 'user:' || u.id::text = e.actor
  WHERE e.case_id = $1 ORDER BY e.id`;

export const SELECT_WAITING_SUBMISSION = `
  SELECT s.id, s.user_id, u.name AS user_name, s.verdict, s.labels, s.reason_code, s.effective_at
  FROM submission s JOIN app_user u ON u.id = s.user_id WHERE s.case_id = $1 AND s.state = 'waiting'`;
