/**
 * One work item for each member of the snapshot, in one statement. The key is computed here exactly as the kernel does
 * (a test compares them). Ids follow the order of the members, and so does the work.
 */
export const ADMIT = `
  INSERT INTO work_item (run_id, content_id, revision, decision_id, source, content_type)
  SELECT $1, m.content_id, m.revision,
         encode(sha256(convert_to(m.content_id, 'UTF8') || '\\x00'::bytea || convert_to(m.revision, 'UTF8')
                       || '\\x00'::bytea || convert_to($3, 'UTF8')), 'hex'),
         c.source, c.content_type
  FROM snapshot_member m JOIN content_item c ON c.content_id = m.content_id
  WHERE m.snapshot_id = $2
  ORDER BY m.content_id, m.revision`;

/** Fresh statistics: after a bulk admission the planner would otherwise guess from a table it last saw empty. */
export const ANALYZE_WORK_ITEM = 'ANALYZE work_item';
