const ROWS = `jsonb_to_recordset($1::jsonb) AS x (content_id text, revision text, content_type text, source text,
  source_kind text, status text, text text, text_sha256 text, input_sha256 text, "order" int)`;

export const INSERT_SOURCES = `
  INSERT INTO source (name, kind) SELECT DISTINCT ON (x.source) x.source, x.source_kind FROM ${ROWS} ON CONFLICT DO NOTHING`;

/** A revision that is new becomes current and resets the rank, as an import makes it. */
export const INSERT_CONTENT = `
  INSERT INTO content_item AS c (content_id, content_type, source, current_revision, status)
  SELECT DISTINCT ON (x.content_id) x.content_id, x.content_type, x.source, x.revision, x.status
  FROM ${ROWS} ORDER BY x.content_id, x."order" DESC
  ON CONFLICT (content_id) DO UPDATE SET current_revision = excluded.current_revision, status_rank = 'policy'
  WHERE NOT EXISTS (SELECT 1 FROM revision r WHERE r.content_id = excluded.content_id AND r.revision = excluded.current_revision)`;

export const INSERT_REVISIONS = `
  INSERT INTO revision (content_id, revision, text_sha256, input_sha256, text_bytes, code_points)
  SELECT x.content_id, x.revision, x.text_sha256, x.input_sha256, octet_length(x.text), length(x.text)
  FROM ${ROWS} ORDER BY x."order" ON CONFLICT DO NOTHING`;

export const INSERT_TEXTS = `
  INSERT INTO revision_text (content_id, revision, text) SELECT x.content_id, x.revision, x.text FROM ${ROWS}
  ON CONFLICT DO NOTHING`;

export const INSERT_SNAPSHOT = `
  WITH snap AS (INSERT INTO snapshot (sha256, revisions) VALUES ($1, $2) RETURNING id)
  INSERT INTO snapshot_name (name, snapshot_id) SELECT $3, id FROM snap RETURNING snapshot_id AS id`;

export const INSERT_MEMBERS = `
  INSERT INTO snapshot_member (snapshot_id, content_id, revision) SELECT $2, x.content_id, x.revision FROM ${ROWS}`;

export const INSERT_TOTALS = `
  INSERT INTO snapshot_total (snapshot_id, source, content_type, revisions)
  SELECT $2, x.source, x.content_type, count(*) FROM ${ROWS} GROUP BY 2, 3`;

/** A worker that went silent long ago, in the eyes of the database. In id order, as every writer locks items. */
export const EXPIRE_LEASES = `
  UPDATE work_item SET lease_until = clock_timestamp() - interval '1 second'
  WHERE id = ANY(ARRAY(SELECT id FROM work_item WHERE state = 'leased' ORDER BY id FOR UPDATE))`;

/** Waiting, passed. */
export const MAKE_DUE = `
  UPDATE work_item SET next_attempt_at = NULL
  WHERE id = ANY(ARRAY(SELECT id FROM work_item WHERE state = 'pending' AND next_attempt_at IS NOT NULL
                       ORDER BY id FOR UPDATE))`;

export const ITEMS = `
  SELECT id, content_id, revision, decision_id, source, content_type, state, deduplicated, attempt_count, spent_count,
         invalid_count, waited_ms, call_group, alone, effect, failure_code,
         next_attempt_at > clock_timestamp() AS waits
  FROM work_item WHERE run_id = $1 ORDER BY id`;

export const CASES = `
  SELECT content_id, decision_id, kind, mode, reason_code, label, score, state, closed_as FROM review_case ORDER BY seq`;

export const ACTIONS = `
  SELECT content_id, decision_id, action, label, state, status_version, proposed_by FROM enforcement_action
  ORDER BY proposed_at, content_id`;

export const CONTENT = `
  SELECT content_id, status, status_rank, status_version, current_revision FROM content_item ORDER BY content_id`;

export const LINEAGE = `
  SELECT a.work_item_id AS id, a.number, a.call_group, o.outcome, o.spends
  FROM attempt a LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
  JOIN work_item w ON w.id = a.work_item_id
  WHERE w.run_id = $1 ORDER BY a.work_item_id, a.number`;

/** A person's act on the revision that is current, changing nothing: enough to make later machine results late. */
export const PERSON_RECORDS = `
  INSERT INTO rollback_record (content_id, version, revision, prior_status, prior_rank, prior_action, next_status,
                               next_rank, next_action, actor, reason, decision_id)
  SELECT content_id, status_version + 1, current_revision, status, status_rank, status_action, status, 'moderator',
         status_action, 'user:11111111-1111-4111-8111-111111111111', 'spam', repeat('0', 64)
  FROM content_item WHERE content_id = $1`;

export const PERSON_RANKS = `
  UPDATE content_item SET status_version = status_version + 1, status_rank = 'moderator' WHERE content_id = $1`;
