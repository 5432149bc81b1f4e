/** Open cases of revisions that are no longer current. A revision never becomes current again, so no content lock is due. */
export const SUPERSEDED_CASES = `
  SELECT k.id FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE k.purpose = 'triage' AND k.state = 'open' AND c.current_revision <> k.revision
  ORDER BY k.id LIMIT $1 FOR UPDATE OF k SKIP LOCKED`;
