export const INSERT_SUBMISSION = `
  INSERT INTO submission (case_id, claim_token, user_id, verdict, labels, reason_code, effective_at)
  VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')
  RETURNING id, effective_at`;

/** The same claim sending again: what it sent is on its way or has counted. */
export const SENT_BEFORE = `
  SELECT s.id, s.verdict, s.labels, s.reason_code, s.effective_at,
         (SELECT n.text FROM note n
          WHERE n.author = 'user:' || s.user_id::text
            AND ((n.kind = 'submission' AND n.subject = 'submission:' || s.id::text)
              OR (n.kind = 'case' AND n.subject = 'case:' || s.case_id::text)) LIMIT 1) AS note
  FROM submission s
  WHERE s.case_id = $1 AND s.claim_token = $2 AND s.user_id = $3 AND s.state IN ('waiting', 'effective')
  ORDER BY s.submitted_at DESC LIMIT 1`;

/** A submitted case does not expire: the expiry column is kept and not looked at. */
export const MARK_SUBMITTED = `
  UPDATE review_case SET state = 'submitted', prefetched = false WHERE id = $1 AND claim_token = $2 AND state = 'claimed'`;

export const SELECT_SUBMISSION = `
  SELECT s.id, s.case_id, s.claim_token, s.user_id, s.verdict, s.labels, s.reason_code, s.state, s.refusal, s.effective_at,
         s.effective_at <= clock_timestamp() AS due
  FROM submission s WHERE s.id = $1`;

/** Fenced by the state and by the clock: after the instant it takes effect, nothing is taken back. */
export const TAKE_BACK = `
  UPDATE submission SET state = 'taken_back', ended_at = clock_timestamp()
  WHERE id = $1 AND state = 'waiting' AND effective_at > clock_timestamp()`;

/** The same token with a fresh term. */
export const RESUME_CLAIM = `
  UPDATE review_case
  SET state = 'claimed', prefetched = false, claim_expires_at = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE id = $1 AND claim_token = $2 AND state = 'submitted'
  RETURNING claim_expires_at`;

/** What the person had turned to meanwhile waits beside the case they went back to. */
export const SET_ASIDE_OTHERS = `
  UPDATE review_case SET prefetched = true
  WHERE id = ANY(ARRAY(
    SELECT id FROM review_case WHERE claimed_by = $1 AND state = 'claimed' AND NOT prefetched AND id <> $2
    ORDER BY id FOR UPDATE))
  RETURNING id`;

/** What was claimed last, beyond the limit of what one person may hold for later. */
export const BEYOND_PREFETCH = `
  SELECT id, claim_token FROM review_case
  WHERE claimed_by = $1 AND state = 'claimed' AND prefetched AND claim_expires_at > clock_timestamp()
  ORDER BY claimed_at, seq OFFSET $2 FOR UPDATE`;

export const DUE_SUBMISSIONS = `
  SELECT id FROM submission WHERE state = 'waiting' AND effective_at <= clock_timestamp()
  ORDER BY effective_at, id LIMIT $1`;

/** Whoever settles a submission holds this; another sweep passes it by instead of queueing behind it. */
export const TRY_SETTLE = "SELECT pg_try_advisory_xact_lock(hashtextextended('docket settle ' || $1::text, 0)) AS mine";

export const END_SUBMISSION = `
  UPDATE submission SET state = $2, refusal = $3, ended_at = clock_timestamp() WHERE id = $1 AND state = 'waiting'`;

export const INSERT_REVIEW = `
  INSERT INTO review (id, case_id, submission_id, content_id, revision, decision_id, policy_version, user_id, role,
                      verdict, labels, reason_code, status_version)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

export const CLOSE_REVIEWED = `
  UPDATE review_case
  SET state = 'closed', closed_at = clock_timestamp(), closed_as = 'reviewed', claim_token = NULL, claimed_by = NULL,
      claimed_at = NULL, claim_expires_at = NULL, prefetched = false
  WHERE id = $1 AND claim_token = $2 AND state = 'submitted'`;
