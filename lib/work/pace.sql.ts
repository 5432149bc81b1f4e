export const SAVE_PACE = `
  INSERT INTO run_pace (run_id, slot, at_once, why) VALUES ($1, $2, $3, $4)
  ON CONFLICT (run_id, slot) DO UPDATE
  SET at_once = excluded.at_once, why = excluded.why, at = clock_timestamp()`;

export const FORGET_PACE = 'DELETE FROM run_pace WHERE run_id = $1 AND slot = $2';

/** Rows of workers that are silent say nothing about now. $2: ms within which a worker was seen. */
export const READ_PACE = `
  SELECT p.slot, p.at_once, p.why, p.at FROM run_pace p
  WHERE p.run_id = $1 AND EXISTS (
    SELECT 1 FROM worker w WHERE w.slot = p.slot AND w.stopped_at IS NULL
      AND w.last_seen_at > clock_timestamp() - $2 * interval '1 millisecond')
  ORDER BY p.slot`;
