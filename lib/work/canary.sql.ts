/** Items with their quantile of length. $1 run, $2 quantiles; ties are broken by id, so that every reader agrees. */
const STRATIFIED = (which: string): string => `
  SELECT w.id, w.run_id, w.decision_id, w.state, w.canary, r.text_bytes, ntile($2) OVER (ORDER BY r.code_points, w.id) AS stratum
  FROM work_item w JOIN revision r ON r.content_id = w.content_id AND r.revision = w.revision
  WHERE w.run_id = $1 AND ${which}`;

/** What is answered already costs nothing and says nothing about cost. */
const TO_BE_CALLED = 'NOT EXISTS (SELECT 1 FROM decision d WHERE d.decision_id = w.decision_id)';

export const COUNT_STRATA = `
  SELECT stratum, count(*)::int AS count, sum(text_bytes)::bigint AS bytes FROM (${STRATIFIED(TO_BE_CALLED)}) AS s
  GROUP BY stratum ORDER BY stratum`;

/** The draw is random for a run and the same whoever repeats it: seeded by the run's id. $3 how many of each stratum. */
export const DRAW_CANARY = `
  UPDATE work_item w SET canary = true
  FROM (SELECT id, stratum, row_number() OVER (PARTITION BY stratum ORDER BY md5(run_id::text || decision_id), id) AS place
        FROM (${STRATIFIED(TO_BE_CALLED)}) AS s) AS p
  WHERE w.id = p.id AND p.place <= ($3::int[])[p.stratum]`;

export const OPEN_CANARY = 'UPDATE run SET canary_open = true, canary_count = $2 WHERE id = $1';

export const CLOSE_CANARY = 'UPDATE run SET canary_open = false WHERE id = $1';

/** The population of a projection: the canary, and what is still to be called. */
const PROJECTED = "(w.canary OR w.state IN ('pending', 'leased'))";

export const PROJECTED_STRATA = `
  SELECT stratum, count(*)::int AS count, sum(text_bytes)::bigint AS bytes FROM (${STRATIFIED(PROJECTED)}) AS s
  GROUP BY stratum ORDER BY stratum`;

/** What each canary item that has ended came to, its failed attempts too. */
export const MEASURED_CANARY = `
  SELECT s.stratum, s.text_bytes AS bytes, coalesce(m.units, 0)::bigint AS units,
         coalesce(m.request_bytes, 0)::bigint AS request_bytes, coalesce(m.content_bytes, 0)::bigint AS content_bytes
  FROM (${STRATIFIED(PROJECTED)}) AS s
  CROSS JOIN LATERAL (
    SELECT sum(o.units) AS units, sum(o.request_bytes) AS request_bytes, sum(o.content_bytes) AS content_bytes
    FROM attempt_outcome o WHERE o.work_item_id = s.id) AS m
  WHERE s.canary AND s.state NOT IN ('pending', 'leased')`;
