/** Locks in bytewise order, the one order every transaction takes content in. */
export const LOCK_CONTENT = `
  SELECT c.content_id, c.content_type, c.source, c.current_revision, c.status, c.status_rank, c.status_action,
         c.status_version, s.kind AS source_kind, s.enforcement_open
  FROM content_item c JOIN source s ON s.name = c.source
  WHERE c.content_id = ANY($1::text[])
  ORDER BY c.content_id
  FOR UPDATE OF c`;

/** Which of these revisions a person has acted on; the operator at the command line is a person. */
export const PERSON_ACTED = `
  SELECT DISTINCT r.content_id
  FROM unnest($1::text[], $2::text[]) AS asked (content_id, revision)
  JOIN rollback_record r ON r.content_id = asked.content_id AND r.revision = asked.revision
  WHERE r.actor LIKE 'user:%' OR r.actor = 'cli'`;

export const INSERT_RECORDS = `
  INSERT INTO rollback_record (content_id, version, revision, prior_status, prior_rank, prior_action,
                               next_status, next_rank, next_action, actor, reason, answers, decision_id)
  SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[],
                       $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])`;

/** Fenced by the version that was read under the lock. */
export const UPDATE_STATUS = `
  UPDATE content_item c
  SET status = n.status, status_rank = n.rank, status_action = n.action, status_version = n.version + 1
  FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::text[]) AS n (content_id, version, status, rank, action)
  WHERE c.content_id = n.content_id AND c.status_version = n.version`;
