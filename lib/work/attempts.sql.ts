import { dayOf } from './units.sql.ts';

/**
 * What may start: fenced by id and token, only while the lease lasts and the run runs, of a canary only the canary, and
 * of a source only while it is open. The lock keeps a sweep from taking an item between the check and the insert.
 */
const HELD = (condition: string): string => `
    SELECT w.id, w.attempt_count, w.call_group, w.lease_token, w.source, h.units
    FROM unnest($1::bigint[], $2::uuid[], $4::bigint[]) AS h (id, token, units)
    JOIN work_item w ON w.id = h.id
    JOIN source s ON s.name = w.source AND s.classifying_open
    WHERE ${condition} AND w.lease_token = h.token AND w.lease_until > clock_timestamp()
      AND CASE WHEN (SELECT r.canary_open FROM run r WHERE r.id = $3 AND r.state = 'running')
               THEN w.canary ELSE EXISTS (SELECT 1 FROM run r WHERE r.id = $3 AND r.state = 'running') END
    ORDER BY w.id FOR NO KEY UPDATE OF w`;

export const LOCK_STARTABLE = HELD('true');

/**
 * Records starts with what they set aside; attempt_count itself moves when the attempt ends. Where units are limited
 * nothing starts unless $5 says that each was granted: then the rows that count them are locked already. The run's row
 * comes after the items and the days after the run, in the order of every transaction.
 */
export const START_ATTEMPTS = `
  WITH today AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS at),
  limits AS MATERIALIZED (
    SELECT EXISTS (SELECT 1 FROM unit_cap)
           OR EXISTS (SELECT 1 FROM run r WHERE r.id = $3 AND r.ceiling_units IS NOT NULL) AS limited),
  held AS MATERIALIZED (${HELD('($5 OR NOT (SELECT limited FROM limits))')}),
  started AS (
    INSERT INTO attempt (work_item_id, number, lease_token, call_group, started_at, reserved_units)
    SELECT h.id, h.attempt_count + 1, h.lease_token, h.call_group, t.at, h.units FROM held h CROSS JOIN today t
    RETURNING work_item_id AS id, number),
  budget AS (
    INSERT INTO run_budget AS b (run_id, reserved)
    SELECT $3, sum(h.units) FROM held h HAVING count(*) > 0
    ON CONFLICT (run_id) DO UPDATE SET reserved = b.reserved + excluded.reserved
    RETURNING run_id),
  days AS (
    INSERT INTO unit_day AS d (day, source, reserved)
    SELECT (SELECT ${dayOf('t.at')} FROM today t), n.source, sum(n.units)
    FROM (SELECT source, units FROM held UNION ALL SELECT '*' COLLATE "C", units FROM held) AS n
    WHERE EXISTS (SELECT 1 FROM budget)
    GROUP BY n.source
    ORDER BY n.source COLLATE "C"
    ON CONFLICT (day, source) DO UPDATE SET reserved = d.reserved + excluded.reserved)
  SELECT l.limited, s.id, s.number FROM limits l LEFT JOIN started s ON true`;
