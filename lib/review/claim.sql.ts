import { byKind } from './queue.sql.ts';

/** One person's claims change one at a time, so that two tabs together cannot pass the limit. */
export const ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('docket claims of ' || $1::text, 0))";

/** The unexpired claims of a person, oldest first; a submitted case is no longer in their hands. */
export const CLAIMS_OF = `
  SELECT k.id, k.prefetched, k.tier, k.kind, c.current_revision = k.revision AND c.status <> 'removed' AS current
  FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE k.claimed_by = $1 AND k.state = 'claimed' AND k.claim_expires_at > clock_timestamp()
  ORDER BY k.claimed_at, k.seq`;

/**
 * The database's clock starts the claim. Who may have the case is judged under its lock; fenced here once more, so that
 * no claim that still runs is ever taken out of another person's hands.
 */
export const CLAIM_CASE = `
  UPDATE review_case
  SET state = 'claimed', claim_token = gen_random_uuid(), claimed_by = $2, claimed_at = clock_timestamp(),
      claim_expires_at = clock_timestamp() + $3 * interval '1 millisecond', prefetched = $4
  WHERE id = $1 AND (state = 'open' OR state = 'claimed' AND (claimed_by = $2 OR claim_expires_at <= clock_timestamp()))
  RETURNING claim_token, claim_expires_at`;

const FREE = "(k.state = 'open' OR k.claim_expires_at <= clock_timestamp())";
const PASSED_OVER = `
  SELECT max(e.id) FROM case_event e WHERE e.case_id = k.id AND e.actor = $3 AND e.kind IN ('skipped', 'not_sure')`;

/** The oldest free case that this person ($3) has not passed over; whatever another transaction holds is left to it. */
export const NEXT_FREE = byKind(
  (waiting) => `
  SELECT k.id FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE ${waiting} AND ${FREE} AND (${PASSED_OVER}) IS NULL
  ORDER BY k.opened_at, k.seq LIMIT 1 FOR UPDATE OF k SKIP LOCKED`,
);

/** Only when nothing else is left: what this person passed over, longest ago first. */
export const NEXT_PASSED_OVER = byKind(
  (waiting) => `
  SELECT k.id FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE ${waiting} AND ${FREE} AND (${PASSED_OVER}) IS NOT NULL
  ORDER BY (${PASSED_OVER}), k.seq LIMIT 1 FOR UPDATE OF k SKIP LOCKED`,
);

/** Renews a claim, and the claims of what the same person holds for later. */
export const RENEW_CLAIM = `
  UPDATE review_case SET claim_expires_at = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE id = $1 AND claim_token = $2 AND claimed_by = $3 AND state = 'claimed' AND claim_expires_at > clock_timestamp()
  RETURNING claim_expires_at`;

export const RENEW_PREFETCHED = `
  UPDATE review_case SET claim_expires_at = clock_timestamp() + $2 * interval '1 millisecond'
  WHERE id = ANY(ARRAY(
    SELECT id FROM review_case
    WHERE claimed_by = $1 AND state = 'claimed' AND prefetched AND claim_expires_at > clock_timestamp()
    ORDER BY id FOR UPDATE SKIP LOCKED))`;

/** Back to the queue. $3 milliseconds to stay away or null, $4 tier or null, $5 reason of an escalation or null. */
export const REOPEN_CASE = `
  UPDATE review_case
  SET state = 'open', claim_token = NULL, claimed_by = NULL, claimed_at = NULL, claim_expires_at = NULL,
      prefetched = false, tier = coalesce($4, tier), escalation_reason = coalesce($5, escalation_reason),
      not_before = CASE WHEN $3::bigint IS NULL THEN not_before
                        ELSE clock_timestamp() + $3::bigint * interval '1 millisecond' END
  WHERE id = $1 AND claim_token = $2 AND state IN ('claimed', 'submitted')
  RETURNING not_before`;

export const EXPIRED_CLAIMS = `
  SELECT id, claim_token, claimed_by FROM review_case
  WHERE state = 'claimed' AND claim_expires_at <= clock_timestamp()
  ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

export const REOPEN_EXPIRED = `
  UPDATE review_case
  SET state = 'open', claim_token = NULL, claimed_by = NULL, claimed_at = NULL, claim_expires_at = NULL, prefetched = false
  WHERE id = ANY($1::uuid[])`;
