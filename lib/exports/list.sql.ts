/** Exports newest first, with the run each is of. $1, $2 the place to go on after. */
export const LIST_EXPORTS = `
  SELECT e.id, e.state, e.run_id, r.name AS run, e.row_count, e.exception_count, e.manifest_sha256, e.supersedes,
         e.with_text, e.purpose, e.created_by, e.created_at, e.published_at,
         (SELECT u.name FROM app_user u WHERE 'user:' || u.id::text = e.created_by) AS creator_name
  FROM export e JOIN run r ON r.id = e.run_id
  WHERE $1::timestamptz IS NULL OR (e.created_at, e.id) < ($1::timestamptz, $2)
  ORDER BY e.created_at DESC, e.id DESC LIMIT $3`;
