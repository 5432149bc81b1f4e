/** Counted from the rows, not from the counters: exact at the moment of the statement. */
export const COUNT_ITEMS = `
  SELECT w.source, w.content_type,
         count(*) FILTER (WHERE w.state IN ('classified', 'exported'))::int AS decisions,
         count(*) FILTER (WHERE w.deduplicated)::int AS deduplicated,
         count(*) FILTER (WHERE w.state = 'failed_review')::int AS exceptions,
         count(*) FILTER (WHERE w.state IN ('pending', 'leased'))::int AS pending,
         count(*) FILTER (WHERE w.state = 'leased')::int AS leased,
         count(*) FILTER (WHERE w.state = 'exported')::int AS exported,
         count(*) FILTER (WHERE d.verdict = 'allow')::int AS allow,
         count(*) FILTER (WHERE d.verdict = 'review')::int AS review,
         count(*) FILTER (WHERE d.verdict = 'restrict')::int AS restrict
  FROM work_item w
  LEFT JOIN decision d ON d.decision_id = w.decision_id AND w.state IN ('classified', 'exported')
  WHERE w.run_id = $1
  GROUP BY w.source, w.content_type
  ORDER BY w.source, w.content_type`;

export const COUNT_EXCEPTIONS = `
  SELECT w.failure_code AS code, count(*)::int AS count FROM work_item w
  WHERE w.run_id = $1 AND w.state = 'failed_review' GROUP BY w.failure_code ORDER BY w.failure_code COLLATE "C"`;

export const COUNT_ATTEMPTS = `
  SELECT count(*)::int AS attempts, coalesce(sum(o.units), 0)::bigint AS units,
         coalesce(sum(o.request_bytes), 0)::bigint AS request_bytes,
         coalesce(sum(o.content_bytes), 0)::bigint AS content_bytes
  FROM work_item w JOIN attempt_outcome o ON o.work_item_id = w.id
  WHERE w.run_id = $1`;

export const SUM_COUNTERS = `
  SELECT coalesce(sum(decisions), 0)::bigint AS decisions, coalesce(sum(deduplicated), 0)::bigint AS deduplicated,
         coalesce(sum(exceptions), 0)::bigint AS exceptions, coalesce(sum(attempts), 0)::bigint AS attempts,
         coalesce(sum(units), 0)::bigint AS units, coalesce(sum(answer_differs), 0)::bigint AS answer_differs
  FROM run_counter WHERE run_id = $1`;

export const SNAPSHOT_REVISIONS = 'SELECT revisions FROM snapshot WHERE id = $1';
