export const SET_CAP = `
  INSERT INTO unit_cap (source, daily_units, set_by) VALUES ($1, $2, $3)
  ON CONFLICT (source) DO UPDATE SET daily_units = excluded.daily_units, set_by = excluded.set_by, set_at = clock_timestamp()`;

export const REMOVE_CAP = 'DELETE FROM unit_cap WHERE source = $1 RETURNING source';

export const SOURCE_KNOWN = 'SELECT 1 FROM source WHERE name = $1';

/** The day is the UTC day of the database's clock, for everybody who counts and everybody who looks. */
const TODAY = "(clock_timestamp() AT TIME ZONE 'UTC')::date";
const MIDNIGHT = `((${TODAY} + 1)::timestamp AT TIME ZONE 'UTC')`;

export const LIST_CAPS = `
  SELECT c.source, c.daily_units, c.set_by, c.set_at, coalesce(d.used, 0)::bigint AS used,
         coalesce(d.reserved, 0)::bigint AS reserved, ${MIDNIGHT} AS resets_at
  FROM unit_cap c LEFT JOIN unit_day d ON d.day = ${TODAY} AND d.source = c.source
  ORDER BY c.source = '*' DESC, c.source`;

/**
 * Items that a cap sent to the next day come back at once when it is raised or taken away. A retry that would be due
 * after midnight is tried early with them, which its service may refuse again. In id order, as every transaction locks
 * items.
 */
export const FREE_CAPPED = `
  UPDATE work_item SET next_attempt_at = NULL
  WHERE id = ANY(ARRAY(
    SELECT w.id FROM work_item w
    WHERE w.state = 'pending' AND w.next_attempt_at >= ${MIDNIGHT} AND ($1 = '*' OR w.source = $1)
    ORDER BY w.id FOR UPDATE))`;

// Asked again and again by screens: where there is no cap, or no closed source, the first condition ends it unscanned.

/** Items of one run that wait for the next day, by source. */
export const CAPPED_ITEMS = `
  SELECT w.source, count(*)::int AS items, ${MIDNIGHT} AS until
  FROM work_item w
  WHERE EXISTS (SELECT 1 FROM unit_cap) AND w.run_id BETWEEN $1 AND $1 AND w.state = 'pending'
    AND w.next_attempt_at >= ${MIDNIGHT}
    AND EXISTS (SELECT 1 FROM unit_cap c WHERE c.source IN (w.source, '*'))
  GROUP BY w.source ORDER BY w.source`;

/** Items of one run that wait because their source is closed. */
export const CLOSED_ITEMS = `
  SELECT w.source, count(*)::int AS items
  FROM work_item w
  WHERE EXISTS (SELECT 1 FROM source WHERE NOT classifying_open) AND w.run_id BETWEEN $1 AND $1 AND w.state = 'pending'
    AND w.source = ANY(ARRAY(SELECT s.name FROM source s WHERE NOT s.classifying_open))
  GROUP BY w.source ORDER BY w.source`;
