export const SELECT_ITEM = `
  SELECT c.content_id, c.content_type, c.source, s.kind AS source_kind, s.enforcement_open, c.current_revision, c.status,
         c.status_rank, c.status_action, c.status_version, c.first_seen_at
  FROM content_item c JOIN source s ON s.name = c.source WHERE c.content_id = $1`;

export const SELECT_REVISION = `
  SELECT r.revision, r.text_sha256, r.input_sha256, r.text_bytes, r.code_points, r.language, r.created_at, r.arrived_at,
         t.text, t.title, t.author_name, t.author_id, t.parent_text, t.parent_id, t.thread_id, t.url
  FROM revision r LEFT JOIN revision_text t ON t.content_id = r.content_id AND t.revision = r.revision
  WHERE r.content_id = $1 AND r.revision = $2`;

/** Newer means that it arrived later. */
export const SELECT_NEWER_REVISION = `
  SELECT n.revision, n.arrived_at FROM revision n
  WHERE n.content_id = $1 AND n.seq > (SELECT o.seq FROM revision o WHERE o.content_id = $1 AND o.revision = $2)
  ORDER BY n.seq DESC LIMIT 1`;

export const SELECT_DECISION = `
  SELECT decision_id, revision, policy_version, work_item_id, prompt_sha256, contract_version, classifier, model,
         classification, verdict, because, segments, committed_at
  FROM decision WHERE decision_id = $1`;

export const SELECT_FAILURE = `
  SELECT id, failure_code, failed_at FROM work_item WHERE decision_id = $1 AND state = 'failed_review'
  ORDER BY failed_at DESC, id DESC LIMIT 1`;

export const SELECT_ATTEMPTS = `
  SELECT a.number, a.started_at, o.outcome, o.spends, o.latency_ms, o.at AS ended_at
  FROM attempt a LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
  WHERE a.work_item_id = $1 ORDER BY a.number`;

export const SELECT_OTHER_DECISIONS = `
  SELECT decision_id, revision, policy_version, verdict, because, committed_at
  FROM decision WHERE content_id = $1 AND decision_id <> $2
  ORDER BY committed_at DESC, decision_id LIMIT $3`;

export const SELECT_REVIEWS = `
  SELECT r.id, r.case_id, r.revision, r.policy_version, r.user_id, u.name AS user_name, r.role, r.verdict, r.labels,
         r.reason_code, r.status_version, r.at,
         (SELECT string_agg(n.text, E'\\n\\n' ORDER BY n.at) FROM note n
          WHERE n.kind = 'case' AND n.subject = 'case:' || r.case_id::text AND n.author = 'user:' || r.user_id::text) AS note
  FROM review r JOIN app_user u ON u.id = r.user_id
  WHERE r.content_id = $1 ORDER BY r.at DESC, r.id LIMIT $2`;
