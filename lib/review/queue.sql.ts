/**
 * The one predicate of what waits in a queue: count, list and the choice of the next case all use it, so that a number
 * and the list under it can never disagree. A case of a revision that is no longer current does not wait for a person;
 * a sweep closes it. Parameters: $1 tier; $2 as `kind` says.
 */
const waitingOf = (kind: string) => `
  k.purpose = 'triage' AND k.tier = $1 AND ${kind} AND k.state IN ('open', 'claimed')
  AND (k.not_before IS NULL OR k.not_before <= clock_timestamp())
  AND c.current_revision = k.revision AND c.status <> 'removed'`;

/** The same for whoever counts a queue in one go. Parameters: $1 tier, $2 kinds. */
export const WAITING = waitingOf('k.kind = ANY($2::text[])');

/** A statement for queues of one kind of case, which the index gives in their order, and for queues of either. $2 kind or null. */
export type ByKind = { readonly one: string; readonly either: string };

export function byKind(statement: (waiting: string) => string): ByKind {
  return { one: statement(waitingOf('k.kind = $2')), either: statement(waitingOf('$2::text IS NULL')) };
}

export const COUNT_WAITING = byKind(
  (waiting) => `
  SELECT count(*) AS count, min(k.opened_at) AS oldest_at,
         extract(epoch FROM clock_timestamp() - min(k.opened_at)) * 1000 AS oldest_age_ms
  FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE ${waiting}`,
);

/** Keyset pages in the order the queue is worked: oldest first. $3, $4 the place to go on after, $5 limit, $6 excerpt. */
export const LIST_WAITING = byKind(
  (waiting) => `
  SELECT k.id, k.seq, k.content_id, k.source, k.content_type, k.revision, k.kind, k.mode, k.tier, k.reason_code, k.label,
         k.score, k.policy_version, k.opened_at, k.escalation_reason,
         (SELECT d.because -> 0 ->> 'rule' FROM decision d WHERE d.decision_id = k.decision_id) AS rule,
         extract(epoch FROM clock_timestamp() - k.opened_at) * 1000 AS age_ms,
         CASE WHEN k.state = 'claimed' AND NOT k.prefetched AND k.claim_expires_at > clock_timestamp()
              THEN k.claimed_by END AS reader_id,
         u.name AS reader_name, left(t.title, $6) AS title, left(t.text, $6) AS excerpt, length(t.text) > $6 AS excerpt_cut
  FROM review_case k
  JOIN content_item c ON c.content_id = k.content_id
  LEFT JOIN revision_text t ON t.content_id = k.content_id AND t.revision = k.revision
  LEFT JOIN app_user u ON u.id = k.claimed_by AND k.state = 'claimed' AND NOT k.prefetched
    AND k.claim_expires_at > clock_timestamp()
  WHERE ${waiting} AND ($3::timestamptz IS NULL OR (k.opened_at, k.seq) > ($3::timestamptz, $4::bigint))
  ORDER BY k.opened_at, k.seq
  LIMIT $5`,
);
