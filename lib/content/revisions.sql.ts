/** Everything that is shown to a classifier, with the hashes a decision records. */
export const SELECT_INPUTS = `
  SELECT r.content_id, r.revision, t.text, t.title, t.author_name, t.parent_text, r.text_sha256, r.input_sha256
  FROM unnest($1::text[], $2::text[]) AS asked (content_id, revision)
  JOIN revision r ON r.content_id = asked.content_id AND r.revision = asked.revision
  JOIN revision_text t ON t.content_id = asked.content_id AND t.revision = asked.revision`;
