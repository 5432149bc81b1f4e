/** A case, its submission, its note and its review of one decision key, as a finished review leaves them. */
export const SEED_REVIEW = `
  WITH who AS (
    INSERT INTO app_user (email, name, role) VALUES ('r' || gen_random_uuid() || '@example.test', 'R', 'reviewer') RETURNING id),
  one AS (
    INSERT INTO review_case (kind, mode, content_id, revision, decision_id, policy_version, source, content_type, reason_code,
                             opened_by, state, closed_at, closed_as)
    SELECT 'decision', 'hold', $1, $2, $3, 'forum@1', 'forum/a', 'comment', 'review', 'policy:forum@1', 'closed', now(),
           'reviewed' RETURNING id),
  sent AS (
    INSERT INTO submission (case_id, claim_token, user_id, verdict, labels, reason_code, state, effective_at, ended_at)
    SELECT one.id, gen_random_uuid(), who.id, $4, $5::text[], $6, 'effective', now(), now() FROM one, who RETURNING id),
  said AS (
    INSERT INTO note (kind, subject, author, text) SELECT 'case', 'case:' || one.id::text, 'user:' || who.id, $7 FROM one, who)
  INSERT INTO review (case_id, submission_id, content_id, revision, decision_id, policy_version, user_id, role, verdict, labels,
                      reason_code, status_version)
  SELECT one.id, sent.id, $1, $2, $3, 'forum@1', who.id, 'reviewer', $4, $5::text[], $6, 1 FROM one, sent, who`;

export const SEED_ACTION = `
  INSERT INTO enforcement_action (content_id, revision, decision_id, policy_version, status_version, action, proposed_by,
                                  state, decided_by, decided_at, applied_at, applied_version)
  VALUES ($1, $2, $3, 'forum@1', 0, 'hide', 'policy:forum@1', 'applied', 'user:m', now(), now(), 1)`;
