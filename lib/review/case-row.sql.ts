/** A case with the state of its content item, which is read and not locked here. */
export const SELECT_CASE = `
  SELECT k.id, k.purpose, k.tier, k.state, k.kind, k.mode, k.content_id, k.revision, k.decision_id, k.policy_version,
         k.label, k.claim_token, k.claimed_by, k.claim_expires_at, k.prefetched, k.closed_at, k.closed_as,
         k.state = 'claimed' AND k.claim_expires_at <= clock_timestamp() AS claim_expired,
         c.current_revision, c.status AS content_status
  FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE k.id = $1`;

/** Taken after the content item's lock where an act needs both, never before. */
export const LOCK_CASE = `${SELECT_CASE} FOR UPDATE OF k`;

export const SELECT_OUTCOME = 'SELECT user_id, role, verdict, at FROM review WHERE case_id = $1';
