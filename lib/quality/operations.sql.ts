/** Unfinished runs: what of each is open now, and since when the oldest of it has waited. */
export const UNFINISHED_RUNS = `
  SELECT r.id, r.name, r.state, r.pause_reason, r.mode, r.not_before, r.created_at,
         r.not_before > clock_timestamp() AS scheduled, w.pending, w.leased, w.oldest_at
  FROM run r
  CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE i.state = 'pending'))::int AS pending,
           (count(*) FILTER (WHERE i.state = 'leased'))::int AS leased, min(i.created_at) AS oldest_at
    FROM work_item i WHERE i.run_id = r.id AND i.state IN ('pending', 'leased')) w
  WHERE r.state IN ('waiting', 'running', 'paused')
  ORDER BY r.created_at, r.id`;

export const NOW = 'SELECT clock_timestamp() AS now';
