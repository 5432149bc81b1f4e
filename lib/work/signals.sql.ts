/**
 * The items that a run had in hand last, found by their ids: work follows the order of ids, so they lie just before the
 * furthest that is leased, or else before the first that is due. $2 how many.
 */
const LATEST = `
  SELECT w.id, w.decision_id, w.state FROM work_item w
  WHERE w.run_id = $1 AND w.id <= coalesce(
    (SELECT max(l.id) FROM work_item l WHERE l.state = 'leased' AND l.run_id = $1),
    (SELECT p.id FROM work_item p WHERE p.run_id BETWEEN $1 AND $1 AND p.state = 'pending' AND p.next_attempt_at IS NULL
     ORDER BY p.run_id, p.id LIMIT 1),
    9223372036854775807)
  ORDER BY w.id DESC LIMIT $2`;

export const RUN_SIGNALS = `
  WITH latest AS MATERIALIZED (${LATEST}),
  tries AS MATERIALIZED (
    SELECT o.outcome, o.latency_ms, o.units, l.id
    FROM latest l JOIN attempt_outcome o ON o.work_item_id = l.id WHERE o.outcome <> 'released'),
  decided AS (
    SELECT d.verdict FROM latest l JOIN decision d ON d.decision_id = l.decision_id
    WHERE l.state IN ('classified', 'exported'))
  SELECT (SELECT count(*)::int FROM tries) AS attempts,
         (SELECT count(DISTINCT id)::int FROM tries) AS items,
         (SELECT count(*)::int FROM tries WHERE outcome = ANY($3::text[])) AS invalid,
         (SELECT coalesce(sum(units), 0)::bigint FROM tries) AS units,
         (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY latency_ms) FROM tries WHERE outcome = 'ok') AS p50_ms,
         (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY latency_ms) FROM tries WHERE outcome = 'ok') AS p95_ms,
         (SELECT count(*)::int FROM decided) AS decisions,
         (SELECT count(*)::int FROM decided WHERE verdict <> 'allow') AS to_people`;

export const SET_CONCURRENCY = 'UPDATE run SET concurrency = $2 WHERE id = $1';
