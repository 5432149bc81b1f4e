/** Runs newest first, each with the sums of its counters, which are cheap at any size. $1, $2 the place to go on after. */
export const LIST_RUNS = `
  SELECT r.id, r.name, r.state, r.pause_reason, r.mode, r.policy_version, r.created_at, r.ended_at,
         s.revisions, n.name AS snapshot, k.decisions, k.exceptions,
         (SELECT count(*)::int FROM export e WHERE e.run_id = r.id AND e.state = 'published') AS exports
  FROM run r
  JOIN snapshot s ON s.id = r.snapshot_id
  LEFT JOIN LATERAL (SELECT name FROM snapshot_name WHERE snapshot_id = s.id ORDER BY created_at, name LIMIT 1) n ON true
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(decisions), 0)::bigint AS decisions, coalesce(sum(exceptions), 0)::bigint AS exceptions
    FROM run_counter c WHERE c.run_id = r.id) k
  WHERE $1::timestamptz IS NULL OR (r.created_at, r.id) < ($1::timestamptz, $2::uuid)
  ORDER BY r.created_at DESC, r.id DESC LIMIT $3`;
