/** Runs that were given the go and have decisions whose effects are still to come. A run that stands still keeps them. */
export const RUNS_WITH_WITHHELD = `
  SELECT r.id FROM run r
  WHERE NOT r.canary_open AND r.canary_count IS NOT NULL AND r.state IN ('running', 'complete')
    AND EXISTS (SELECT 1 FROM work_item w WHERE w.run_id = r.id AND w.effect = 'withheld')
  ORDER BY r.created_at, r.id`;

/** In id order, as every transaction locks items. */
export const LOCK_WITHHELD = `
  SELECT w.id, w.run_id, w.content_id, w.revision, w.decision_id, w.source, w.content_type
  FROM work_item w WHERE w.run_id = $1 AND w.effect = 'withheld'
  ORDER BY w.id LIMIT $2 FOR NO KEY UPDATE OF w`;

export const WITHHELD_DECISIONS =
  'SELECT decision_id, verdict, because FROM decision WHERE decision_id = ANY($1::text[])';

export const SET_EFFECTS = `
  UPDATE work_item w SET effect = n.effect FROM unnest($1::bigint[], $2::text[]) AS n (id, effect)
  WHERE w.id = n.id AND w.effect = 'withheld'`;
