import { dayOf } from './units.sql.ts';

/** In id order, as every transaction locks items; waits for attempts that are being recorded just now. */
export const LOCK_OPEN_ITEMS = `
  SELECT count(*)::int AS count FROM (
    SELECT id FROM work_item WHERE run_id = $1 AND state IN ('pending', 'leased') ORDER BY id FOR UPDATE) AS locked`;

/** A call that is under way ends here for the books; what it answers later meets a fence. Gives what it had set aside. */
export const CANCEL_OPEN_ATTEMPTS = `
  WITH ended AS MATERIALIZED (
    SELECT a.work_item_id, a.number, a.started_at, a.reserved_units, w.source
    FROM work_item w JOIN attempt a ON a.work_item_id = w.id AND a.number = w.attempt_count + 1
    WHERE w.run_id = $1 AND w.state = 'leased'),
  booked AS (
    INSERT INTO attempt_outcome (work_item_id, number, outcome, spends)
    SELECT work_item_id, number, 'cancelled', false FROM ended)
  SELECT ${dayOf('started_at')}::text AS day, source, sum(reserved_units)::bigint AS reserved, 0 AS used
  FROM ended GROUP BY 1, 2`;

export const CANCEL_OPEN_ITEMS = `
  UPDATE work_item w
  SET state = 'failed_review', failure_code = 'cancelled', failed_at = clock_timestamp(),
      settled_at = clock_timestamp(), next_attempt_at = NULL,
      attempt_count = CASE WHEN w.state = 'leased'
        AND EXISTS (SELECT 1 FROM attempt a WHERE a.work_item_id = w.id AND a.number = w.attempt_count + 1)
        THEN w.attempt_count + 1 ELSE w.attempt_count END,
      lease_token = NULL, lease_worker = NULL, lease_until = NULL
  WHERE w.run_id = $1 AND w.state IN ('pending', 'leased')`;

/**
 * Items whose run ends here while their content is held, or pending and not public, and nobody looks at it: cancelled
 * ones, and those whose decision waited for a go that never comes. Pending content for which another run still works is
 * left to that run.
 */
export const UNSEEN = `
  SELECT w.content_id, w.revision, w.decision_id, w.source, w.content_type, w.effect IS NOT NULL AS decided
  FROM work_item w
  JOIN content_item c ON c.content_id = w.content_id AND c.current_revision = w.revision
                     AND c.status IN ('held', 'pending')
  WHERE w.run_id = $1 AND ((w.state = 'failed_review' AND w.failure_code = 'cancelled') OR w.effect = 'withheld')
    AND NOT EXISTS (SELECT 1 FROM review_case k WHERE k.content_id = w.content_id AND k.revision = w.revision
                      AND k.purpose = 'triage' AND k.state <> 'closed' AND k.mode <> 'record')
    AND NOT EXISTS (SELECT 1 FROM enforcement_action a WHERE a.content_id = w.content_id
                      AND a.state IN ('proposed', 'approved', 'applied'))
    AND NOT (c.status = 'pending' AND EXISTS (
      SELECT 1 FROM run q JOIN work_item o ON o.run_id = q.id AND o.content_id = w.content_id AND o.revision = w.revision
      WHERE q.id <> $1 AND q.state IN ('waiting', 'running', 'paused') AND q.mode <> 'record'
        AND (o.state IN ('pending', 'leased') OR o.effect = 'withheld')))`;
