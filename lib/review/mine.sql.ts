/** What a person sent and what became of it: one row a submission, newest first. $3, $4 the place to go on after. */
export const SELECT_MINE = `
  SELECT s.id, s.case_id, s.verdict, s.labels, s.reason_code, s.state, s.refusal, s.submitted_at, s.effective_at,
         s.ended_at, k.content_id, k.revision, k.source, k.content_type, k.policy_version, k.mode, k.kind,
         r.id AS review_id, r.status_version, c.status, c.status_action, c.current_revision,
         left(t.title, $5) AS title, left(t.text, $5) AS excerpt, length(t.text) > $5 AS excerpt_cut,
         (SELECT string_agg(n.text, E'\\n\\n' ORDER BY n.at) FROM note n
          WHERE n.author = 'user:' || s.user_id::text
            AND ((n.kind = 'submission' AND n.subject = 'submission:' || s.id::text)
              OR (n.kind = 'case' AND r.id IS NOT NULL AND n.subject = 'case:' || s.case_id::text)
              OR (n.kind = 'draft' AND s.state = 'refused' AND n.subject = 'case:' || s.case_id::text))) AS note
  FROM submission s
  JOIN review_case k ON k.id = s.case_id
  JOIN content_item c ON c.content_id = k.content_id
  LEFT JOIN review r ON r.submission_id = s.id
  LEFT JOIN revision_text t ON t.content_id = k.content_id AND t.revision = k.revision
  WHERE s.user_id = $1
    AND ($3::timestamptz IS NULL OR (s.submitted_at, s.id) < ($3::timestamptz, $4::uuid))
  ORDER BY s.submitted_at DESC, s.id DESC LIMIT $2`;
