/**
 * Records starts, fenced by id and token and only while the lease lasts and the run runs. The lock keeps a sweep from
 * taking an item between the check and the insert; attempt_count itself moves when the attempt ends.
 */
export const START_ATTEMPTS = `
  WITH held AS MATERIALIZED (
    SELECT w.id, w.attempt_count, w.call_group, w.lease_token
    FROM unnest($1::bigint[], $2::uuid[]) AS h (id, token) JOIN work_item w ON w.id = h.id
    WHERE w.lease_token = h.token AND w.lease_until > clock_timestamp()
      AND EXISTS (SELECT 1 FROM run r WHERE r.id = $3 AND r.state = 'running')
    ORDER BY w.id FOR NO KEY UPDATE OF w)
  INSERT INTO attempt (work_item_id, number, lease_token, call_group)
  SELECT id, attempt_count + 1, lease_token, call_group FROM held
  RETURNING work_item_id AS id, number`;
