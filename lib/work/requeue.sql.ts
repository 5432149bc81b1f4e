export const LOCK_FAILED = `
  SELECT id, decision_id FROM work_item
  WHERE run_id = $1 AND state = 'failed_review' AND failure_code = $2
  ORDER BY id FOR NO KEY UPDATE`;

/** Waits for whoever is claiming or reviewing one of them just now. */
export const LOCK_CASES = `
  SELECT id FROM review_case
  WHERE decision_id = ANY($1::text[]) AND purpose = 'triage' AND state <> 'closed'
  ORDER BY id FOR UPDATE`;

/** Asked after the locks, in a statement of its own: keys that are in a person's hands, and keys a person answered. */
export const IN_HANDS = `
  SELECT decision_id FROM review_case
  WHERE decision_id = ANY($1::text[]) AND purpose = 'triage' AND state IN ('claimed', 'submitted')`;

export const REVIEWED = 'SELECT decision_id FROM review WHERE decision_id = ANY($1::text[])';

/** Fresh attempts: the budgets start anew, the numbers of the attempts run on, and the next call is a new one. */
export const REQUEUE_ITEMS = `
  UPDATE work_item
  SET state = 'pending', failure_code = NULL, failed_at = NULL, settled_at = NULL, next_attempt_at = NULL,
      spent_count = 0, invalid_count = 0, waited_ms = 0, call_group = call_group + 1
  WHERE id = ANY($1::bigint[]) AND state = 'failed_review'`;
