export const CANARY_ENDED = `
  SELECT count(*)::int AS ended FROM work_item w
  WHERE w.run_id = $1 AND w.canary AND w.state NOT IN ('pending', 'leased')`;

/** The price as the operator's file had it when the run was started. */
export const PRICE_AT_START = `
  SELECT data -> 'price_per_million_units' AS price FROM audit_event
  WHERE subject = 'run:' || $1::text AND kind = 'run.started' ORDER BY id LIMIT 1`;
