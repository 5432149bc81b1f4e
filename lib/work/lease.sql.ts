/** What a holder needs to know of an item; read by every statement that takes or locks one. */
export const HELD_COLUMNS = `w.id, w.run_id, w.content_id, w.revision, w.decision_id, w.source, w.content_type,
       w.lease_token, w.attempt_count, w.spent_count, w.invalid_count, w.waited_ms, w.call_group, w.alone`;

/**
 * Leases the oldest items that are due. Two things keep the plan whatever the statistics say, and a plan test watches
 * over them. The ids are collected into an array first: joined to a skip-locked subquery, PostgreSQL scans the whole
 * table. And the run is given as a range with the order over both columns: with an equality it may walk the primary key
 * instead of the pending items, past everything that is done. A locked row is somebody else's: skipped.
 */
const TAKE = `
  UPDATE work_item w
  SET state = 'leased', lease_token = $2, lease_worker = $3, next_attempt_at = NULL,
      lease_until = clock_timestamp() + $5 * interval '1 millisecond'
  WHERE w.id = ANY(ARRAY(`;

/**
 * Nothing of a source that is closed, or that $6 names. Closed ones are read once, not for each item; and in a CASE,
 * which PostgreSQL makes no guess about: from the statistics of sources it would guess that nothing is left, and sort.
 */
const DUE = `(i.next_attempt_at IS NULL OR i.next_attempt_at <= clock_timestamp())
      AND CASE WHEN i.source = ANY($6::text[] || ARRAY(SELECT s.name FROM source s WHERE NOT s.classifying_open))
               THEN false ELSE true END`;

const RUNS = (
  canary: string,
): string => `EXISTS (SELECT 1 FROM run r WHERE r.id = $1 AND r.state = 'running' AND ${canary}
                    AND (r.not_before IS NULL OR r.not_before <= clock_timestamp()))`;

/** Whether the key is answered already, in this run or another: looked up one by one, never by reading all decisions. */
const STANDING = '(SELECT d.decision_id FROM decision d WHERE d.decision_id = w.decision_id) IS NOT NULL AS standing';

/** $7: only items with a greater id, so that those of a closed source are not passed again with every lease. */
export const LEASE_BATCH = `${TAKE}
    SELECT i.id FROM work_item i
    WHERE i.run_id BETWEEN $1 AND $1 AND i.state = 'pending' AND i.id > $7
      AND ${DUE}
      AND ${RUNS('NOT r.canary_open')}
    ORDER BY i.run_id, i.id LIMIT $4 FOR UPDATE OF i SKIP LOCKED))
  RETURNING ${HELD_COLUMNS}, ${STANDING}`;

/** The same while only the canary may be called: its few items are read by their own index. */
export const LEASE_CANARY = `${TAKE}
    SELECT i.id FROM work_item i
    WHERE i.run_id = $1 AND i.canary AND i.state = 'pending' AND i.id > $7
      AND ${DUE}
      AND ${RUNS('r.canary_open')}
    ORDER BY i.run_id, i.id LIMIT $4 FOR UPDATE OF i SKIP LOCKED))
  RETURNING ${HELD_COLUMNS}, ${STANDING}`;

/** The same for items that are answered already, whatever the run is waiting for: no call is made for them. */
export const LEASE_STANDING = `${TAKE}
    SELECT i.id FROM work_item i
    WHERE i.run_id BETWEEN $1 AND $1 AND i.state = 'pending' AND i.id > $6
      AND EXISTS (SELECT 1 FROM decision d WHERE d.decision_id = i.decision_id)
    ORDER BY i.run_id, i.id LIMIT $4 FOR UPDATE OF i SKIP LOCKED))
  RETURNING ${HELD_COLUMNS}`;

/** Locks in id order like every other writer; an expired lease is nobody's to renew. */
export const RENEW_LEASES = `
  UPDATE work_item w SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE w.id = ANY(ARRAY(
    SELECT i.id FROM unnest($1::bigint[], $2::uuid[]) AS h (id, token) JOIN work_item i ON i.id = h.id
    WHERE i.lease_token = h.token AND i.lease_until > clock_timestamp()
    ORDER BY i.id FOR UPDATE OF i))
  RETURNING w.id`;

/**
 * Locks the items this process still holds. Fenced on id and token alone: naming the state as well made PostgreSQL
 * take the partial index of all leased rows instead of the primary key (a plan test watches over this).
 */
const FENCED = (columns: string): string => `
  SELECT ${columns}
  FROM unnest($1::bigint[], $2::uuid[]) AS h (id, token) JOIN work_item w ON w.id = h.id
  WHERE w.lease_token = h.token
  ORDER BY w.id FOR NO KEY UPDATE OF w`;

export const LOCK_HELD = FENCED(HELD_COLUMNS);

/** The same for a holder that has kept what it was given. */
export const LOCK_KNOWN = FENCED('w.id');

export const RUNS_WITH_EXPIRED = `
  SELECT DISTINCT w.run_id FROM work_item w WHERE w.state = 'leased' AND w.lease_until <= clock_timestamp()`;

export const LOCK_EXPIRED = `
  SELECT ${HELD_COLUMNS}
  FROM work_item w
  WHERE w.state = 'leased' AND w.lease_until <= clock_timestamp() AND w.run_id = $1
  ORDER BY w.id LIMIT $2 FOR NO KEY UPDATE OF w SKIP LOCKED`;

/** Starts without outcome. Asked after the items are locked, in a statement of its own, so that it sees every start. */
export const OPEN_STARTS = `
  SELECT a.work_item_id AS id, a.number, a.reserved_units
  FROM unnest($1::bigint[]) AS h (id)
  JOIN work_item w ON w.id = h.id
  JOIN attempt a ON a.work_item_id = w.id AND a.number = w.attempt_count + 1`;
