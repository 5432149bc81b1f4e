/** Unclosed triage cases of these content items, whichever decision opened them. */
export const UNCLOSED_CASES = `
  SELECT c.content_id, c.revision, c.decision_id, c.mode
  FROM review_case c
  WHERE c.content_id = ANY($1::text[]) AND c.purpose = 'triage' AND c.state <> 'closed'`;

/** Items whose status was set on another revision than the current one: the status only stayed. */
export const INHERITED_STATUS = `
  SELECT c.content_id
  FROM content_item c JOIN rollback_record r ON r.content_id = c.content_id AND r.version = c.status_version
  WHERE c.content_id = ANY($1::text[]) AND r.revision <> c.current_revision`;
