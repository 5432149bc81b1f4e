const RUN_COLUMNS = `r.id, r.name, r.snapshot_id, r.policy_version, r.mode, r.state, r.pause_reason, r.classifier,
       r.concurrency, r.not_before, r.ceiling_units, r.canary_count, r.canary_open, r.created_by, r.created_at, r.ended_at`;

export const FIND_RUN_BY_ID = `SELECT ${RUN_COLUMNS} FROM run r WHERE r.id = $1`;

export const FIND_RUN_BY_NAME = `SELECT ${RUN_COLUMNS} FROM run r WHERE r.name = $1`;

/** Whoever changes a run's state takes the row for itself; flushes share it and are waited for. */
export const LOCK_RUN = `SELECT ${RUN_COLUMNS} FROM run r WHERE r.id = $1 FOR UPDATE`;

export const SHARE_RUN = `SELECT ${RUN_COLUMNS} FROM run r WHERE r.id = $1 FOR SHARE`;

export const INSERT_RUN = `
  INSERT INTO run (name, snapshot_id, policy_version, mode, classifier, concurrency, not_before, created_by, ceiling_units)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (name) DO NOTHING
  RETURNING id`;

export const NAMES_LIKE = 'SELECT name FROM run WHERE name = ANY($1::text[])';

export const SET_RUN_STATE = `
  UPDATE run SET state = $2, pause_reason = $3,
         ended_at = CASE WHEN $2 IN ('complete', 'cancelled') THEN clock_timestamp() END
  WHERE id = $1`;

// The first of an order, not EXISTS, and the run as a range: PostgreSQL takes a row that exists to be near and would walk
// a large run through all that is done; so only the partial index of the state gives this order.
const FIRST_PENDING = (run: string): string =>
  `(SELECT w.id FROM work_item w WHERE w.run_id BETWEEN ${run} AND ${run} AND w.state = 'pending' ORDER BY w.run_id, w.id LIMIT 1)`;
const FIRST_LEASED = (run: string): string =>
  `(SELECT w.id FROM work_item w WHERE w.run_id = ${run} AND w.state = 'leased' ORDER BY w.lease_until LIMIT 1)`;

// While a canary is open nothing else of its run may move; its few items have a partial index of their own.
const HAS_OPEN_CANARY = (run: string): string =>
  `EXISTS (SELECT 1 FROM work_item w WHERE w.run_id = ${run} AND w.canary AND w.state IN ('pending', 'leased'))`;

export const RUN_HAS_OPEN_ITEMS = `
  SELECT CASE WHEN (SELECT r.canary_open FROM run r WHERE r.id = $1) THEN ${HAS_OPEN_CANARY('$1')}
              ELSE coalesce(${FIRST_PENDING('$1')}, ${FIRST_LEASED('$1')}) IS NOT NULL END AS open`;

/**
 * Runs in which something can be leased now, oldest first. $2 one run, or null for all. A run of which every source is
 * closed is none of them: it must not keep a place from others.
 */
export const RUNS_WITH_WORK = `
  SELECT ${RUN_COLUMNS} FROM run r
  WHERE r.state = 'running' AND (r.not_before IS NULL OR r.not_before <= clock_timestamp())
    AND ($2::uuid IS NULL OR r.id = $2)
    AND EXISTS (SELECT 1 FROM snapshot_total t JOIN source s ON s.name = t.source
                WHERE t.snapshot_id = r.snapshot_id AND s.classifying_open)
    AND CASE WHEN r.canary_open
      THEN EXISTS (SELECT 1 FROM work_item w WHERE w.run_id = r.id AND w.canary AND w.state = 'pending'
                     AND (w.next_attempt_at IS NULL OR w.next_attempt_at <= clock_timestamp()))
      ELSE (SELECT w.id FROM work_item w
            WHERE w.run_id BETWEEN r.id AND r.id AND w.state = 'pending'
              AND (w.next_attempt_at IS NULL OR w.next_attempt_at <= clock_timestamp())
            ORDER BY w.run_id, w.id LIMIT 1) IS NOT NULL END
  ORDER BY r.created_at, r.id
  LIMIT $1`;

/** Running runs in which nothing is left, or nothing of their canary. */
export const RUNS_TO_COMPLETE = `
  SELECT r.id FROM run r
  WHERE r.state = 'running' AND CASE WHEN r.canary_open
    THEN NOT ${HAS_OPEN_CANARY('r.id')}
    ELSE coalesce(${FIRST_PENDING('r.id')}, ${FIRST_LEASED('r.id')}) IS NULL END
  ORDER BY r.created_at, r.id`;

/** Written last in every transaction, one row per worker slot, so that flushes never queue behind each other. */
export const ADD_TO_COUNTERS = `
  INSERT INTO run_counter AS c (run_id, slot, decisions, deduplicated, exceptions, attempts, units, answer_differs)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (run_id, slot) DO UPDATE
  SET decisions = c.decisions + excluded.decisions, deduplicated = c.deduplicated + excluded.deduplicated,
      exceptions = c.exceptions + excluded.exceptions, attempts = c.attempts + excluded.attempts,
      units = c.units + excluded.units, answer_differs = c.answer_differs + excluded.answer_differs`;
