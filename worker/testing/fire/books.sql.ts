export const INSERT_SOURCES = `INSERT INTO source (name, kind) VALUES ('live', 'live'), ('back', 'backfill')`;

export const OPEN_RUNS = `
  SELECT r.name, r.state, r.pause_reason,
         count(*) FILTER (WHERE w.state = 'pending')::int AS pending, count(*) FILTER (WHERE w.state = 'leased')::int AS leased
  FROM run r JOIN work_item w ON w.run_id = r.id
  WHERE r.state NOT IN ('complete', 'cancelled') GROUP BY r.id ORDER BY r.name`;

/** A worker's leases have run out, in the eyes of the database. In id order, as every writer locks items. */
export const EXPIRE_LEASES_OF = `
  UPDATE work_item SET lease_until = clock_timestamp() - interval '1 second'
  WHERE id = ANY(ARRAY(SELECT id FROM work_item WHERE state = 'leased' AND lease_worker = ANY($1::uuid[])
                       ORDER BY id FOR UPDATE))`;

export const WORKER_IN_SLOT = 'SELECT id FROM worker WHERE slot = $1 AND stopped_at IS NULL';

/** What the dead left: items in their hands, and starts among them that have no outcome. */
export const LEFT_BY = `
  SELECT count(*)::int AS leased, count(a.work_item_id)::int AS started
  FROM work_item w
  LEFT JOIN attempt a ON a.work_item_id = w.id AND a.number = w.attempt_count + 1 AND a.lease_token = w.lease_token
  WHERE w.state = 'leased' AND w.lease_worker = ANY($1::uuid[])`;

/**
 * Each of these selects what would be lost or doubled once every run has ended; all must be empty. They come on top of
 * the invariants of the rooms themselves.
 */
export const LOST_OR_DOUBLED: Readonly<Record<string, string>> = {
  'every revision of every run ended in one decision or one exception': `
    SELECT r.name, m.content_id FROM run r
    JOIN snapshot_member m ON m.snapshot_id = r.snapshot_id
    LEFT JOIN work_item w ON w.run_id = r.id AND w.content_id = m.content_id AND w.revision = m.revision
    LEFT JOIN decision d ON d.decision_id = w.decision_id
    WHERE CASE WHEN w.state IN ('classified', 'exported') THEN d.decision_id IS NULL OR w.failure_code IS NOT NULL
               ELSE w.state IS DISTINCT FROM 'failed_review' END`,
  'nothing is leased': `SELECT id FROM work_item WHERE lease_token IS NOT NULL`,
  'every start has an outcome': `
    SELECT a.work_item_id FROM attempt a
    LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number WHERE o.number IS NULL`,
  'one action for a decision that restricts, and none for any other': `
    SELECT d.decision_id FROM decision d
    WHERE (SELECT count(*) FROM enforcement_action a WHERE a.decision_id = d.decision_id)
          <> CASE WHEN d.verdict = 'restrict' THEN 1 ELSE 0 END
      AND NOT (d.verdict = 'restrict' AND EXISTS (
        SELECT 1 FROM review_case k WHERE k.decision_id = d.decision_id AND k.kind = 'exception'))`,
  'at most one record of a decision': `
    SELECT content_id FROM rollback_record GROUP BY content_id, decision_id HAVING count(*) > 1`,
  'one event of a decision and status version, and one for each version': `
    SELECT c.content_id FROM content_item c
    WHERE c.status_version <> (SELECT count(DISTINCT (e.decision_id, e.status_version)) FROM outbox_event e
                               WHERE e.content_id = c.content_id)
       OR c.status_version <> (SELECT count(*) FROM outbox_event e WHERE e.content_id = c.content_id)`,
  'live content is held once, by its decision or its exception': `
    SELECT c.content_id FROM content_item c JOIN source s ON s.name = c.source
    WHERE s.kind = 'live' AND (c.status, c.status_version) IS DISTINCT FROM ('held', 1)`,
  'a run was completed once': `
    SELECT r.name FROM run r
    WHERE r.state = 'complete' AND 1 <> (SELECT count(*) FROM audit_event e
      WHERE e.kind = 'run.completed' AND e.subject = 'run:' || r.id::text)`,
  'the audit of the flushes counts each decision once': `
    SELECT r.name FROM run r
    WHERE (SELECT count(*) FROM decision d JOIN work_item w ON w.id = d.work_item_id WHERE w.run_id = r.id)
          <> (SELECT coalesce(sum((e.data ->> 'decisions')::int), 0) FROM audit_event e
              WHERE e.kind = 'work.flushed' AND e.subject = 'run:' || r.id::text)`,
  'the counters are what a recount finds': `
    SELECT r.name FROM run r
    LEFT JOIN LATERAL (SELECT coalesce(sum(decisions), 0) AS decisions, coalesce(sum(exceptions), 0) AS exceptions,
                              coalesce(sum(attempts), 0) AS attempts, coalesce(sum(units), 0) AS units
                       FROM run_counter c WHERE c.run_id = r.id) c ON true
    LEFT JOIN LATERAL (SELECT count(*) AS attempts, coalesce(sum(o.units), 0) AS units
                       FROM attempt_outcome o JOIN work_item w ON w.id = o.work_item_id WHERE w.run_id = r.id) o ON true
    LEFT JOIN LATERAL (SELECT count(*) FILTER (WHERE w.failure_code IS NULL) AS decisions, count(w.failure_code) AS exceptions
                       FROM work_item w WHERE w.run_id = r.id) w ON true
    WHERE (c.decisions, c.exceptions, c.attempts, c.units) IS DISTINCT FROM (w.decisions, w.exceptions, o.attempts, o.units)`,
  'no unit is reserved for an attempt that is over': `
    SELECT b.run_id::text FROM run_budget b
    WHERE b.reserved <> (SELECT coalesce(sum(a.reserved_units), 0) FROM attempt a
      JOIN work_item w ON w.id = a.work_item_id
      LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
      WHERE w.run_id = b.run_id AND o.number IS NULL)
    UNION ALL SELECT source FROM unit_day WHERE reserved <> 0`,
};

export const RUNS = 'SELECT id, name FROM run ORDER BY name';

/** Exports that began and did not end; sealed where the bundle was about to get its name. */
export const UNFINISHED_EXPORTS = `
  SELECT id, manifest_sha256 IS NOT NULL AS sealed FROM export WHERE run_id = $1 AND state = 'building'`;

export const EXPORTS_OF = `
  SELECT (SELECT count(*) FROM export WHERE run_id = $1 AND state = 'building')::int AS building,
         (SELECT count(*) FROM export WHERE run_id = $1 AND state = 'published')::int AS published,
         (SELECT count(*) FROM work_item WHERE run_id = $1 AND state = 'classified')::int AS unmarked`;

/** Every item with its text and what became of it. */
export const ENDS = `
  SELECT t.text, w.state, w.failure_code, w.spent_count, d.verdict
  FROM work_item w
  JOIN revision_text t ON t.content_id = w.content_id AND t.revision = w.revision
  LEFT JOIN decision d ON d.decision_id = w.decision_id`;

export const TALLY = `
  SELECT (SELECT count(*) FROM run)::int AS runs,
         (SELECT count(*) FROM work_item)::int AS items,
         (SELECT count(*) FROM decision)::int AS decisions,
         (SELECT count(*) FROM work_item WHERE deduplicated)::int AS deduplicated,
         (SELECT count(*) FROM work_item WHERE state = 'failed_review')::int AS exceptions,
         (SELECT count(*) FROM attempt)::int AS attempts,
         (SELECT count(*) FROM attempt_outcome WHERE outcome = 'lease_expired')::int AS expired,
         (SELECT count(*) FROM enforcement_action)::int AS actions,
         (SELECT count(*) FROM outbox_event)::int AS events`;
