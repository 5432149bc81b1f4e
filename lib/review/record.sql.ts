/** A rollback record, and whether a later one has gone back through it. */
export const SELECT_RECORD = `
  SELECT r.version, r.revision, r.prior_status, r.prior_rank, r.prior_action, r.decision_id,
         EXISTS (SELECT 1 FROM rollback_record later
                 WHERE later.content_id = r.content_id AND later.version > r.version
                   AND later.answers = 'record:' || r.version::text) AS already_reversed
  FROM rollback_record r WHERE r.content_id = $1 AND r.version = $2`;

/** The content item as it is now, without a lock. */
export const SELECT_CONTENT_STATE = `
  SELECT c.status, c.status_rank, c.status_action, c.status_version, c.current_revision, s.kind AS source_kind,
         s.enforcement_open
  FROM content_item c JOIN source s ON s.name = c.source WHERE c.content_id = $1`;
