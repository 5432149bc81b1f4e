/** A rollback record, and whether a later one has gone back through it. */
export const SELECT_RECORD = `
  SELECT r.version, r.revision, r.prior_status, r.prior_rank, r.prior_action, r.decision_id,
         EXISTS (SELECT 1 FROM rollback_record later
                 WHERE later.content_id = r.content_id AND later.version > r.version
                   AND later.answers = 'record:' || r.version::text) AS already_reversed
  FROM rollback_record r WHERE r.content_id = $1 AND r.version = $2`;
