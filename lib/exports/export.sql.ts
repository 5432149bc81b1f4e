/** The table of exports: which bundles are being built, which were published and which came to nothing. */

/** Held by the session that exports a run; it ends with the process, however that ends. */
export const TRY_EXPORT_LOCK = `SELECT pg_try_advisory_lock(hashtextextended('docket.export:' || $1, 0)) AS held`;
export const RELEASE_EXPORT_LOCK = `SELECT pg_advisory_unlock(hashtextextended('docket.export:' || $1, 0))`;

export const INSERT_EXPORT = `
  INSERT INTO export (id, run_id, path, with_text, purpose, created_by) VALUES ($1, $2, $3, $4, $5, $6)`;

/** What the finished bundle is, kept before it gets its name: a later export can then know it again. */
export const SEAL_EXPORT = `
  UPDATE export SET row_count = $2, exception_count = $3, manifest_sha256 = $4, supersedes = $5
  WHERE id = $1 AND state = 'building'`;

export const PUBLISH_EXPORT = `
  UPDATE export SET state = 'published', published_at = clock_timestamp()
  WHERE id = $1 AND state = 'building' AND manifest_sha256 = $2`;

export const ABANDON_EXPORT = `UPDATE export SET state = 'abandoned' WHERE id = $1 AND state = 'building'`;

export const SELECT_UNFINISHED_EXPORTS = `
  SELECT id, path, with_text, purpose, manifest_sha256
  FROM export WHERE run_id = $1 AND state = 'building' ORDER BY created_at, id`;

/** Decisions only ever become more: as many as the bundle holds means the very ones it holds. */
export const COUNT_CLASSIFIED = `
  SELECT count(*) AS count FROM work_item WHERE run_id = $1 AND state IN ('classified', 'exported')`;
