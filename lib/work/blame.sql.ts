/** $1 run, $2 item, $3 codes: whether the item met one of them before, and another was called and answered since. */
export const FOLLOWS_ITEM = `
  SELECT EXISTS (
    SELECT 1 FROM work_item w
    JOIN attempt a ON a.work_item_id = w.id AND a.number = w.attempt_count
    WHERE w.run_id = $1 AND w.state IN ('classified', 'exported') AND NOT w.deduplicated
      AND w.settled_at > before.at AND a.started_at > before.at) AS follows
  FROM (SELECT min(o.at) AS at FROM attempt_outcome o
        WHERE o.work_item_id = $2 AND o.outcome = ANY ($3::text[])) AS before
  WHERE before.at IS NOT NULL`;
