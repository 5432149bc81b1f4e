/** A row that nothing has spoken against yet, where `r` has the row's ordinal. */
const ACCEPTED = 'NOT EXISTS (SELECT 1 FROM import_reject x WHERE x.ordinal = r.ordinal)';

/** $1 the kind asked for, or null: then a known source keeps its own and a new one is backfill. */
export const INSERT_SOURCES = `
  INSERT INTO source (name, kind)
  SELECT named.source, coalesce($1::text, 'backfill')
  FROM (SELECT DISTINCT r.source FROM import_key r WHERE ${ACCEPTED}) AS named
  ORDER BY named.source
  ON CONFLICT (name) DO NOTHING
  RETURNING name`;

export const REJECT_KINDS = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT r.ordinal, 'kind_conflict', 'source'
  FROM import_key r JOIN source s ON s.name = r.source
  WHERE s.kind <> $1::text AND ${ACCEPTED}`;

/** One row for each revision, its first: metadata outside the hash stays as it came first. */
export const CREATE_UNITS = `
  CREATE TEMP TABLE import_unit ON COMMIT DROP AS
  SELECT DISTINCT ON (r.content_id, r.revision)
         r.content_id, r.revision, r.ordinal, r.content_type, r.source, r.input_sha256
  FROM import_key r
  WHERE ${ACCEPTED}
  ORDER BY r.content_id, r.revision, r.ordinal`;

export const ANALYZE_UNITS = 'ANALYZE import_unit';

export const DROP_UNITS = 'DROP TABLE import_unit';

/**
 * Content that Docket has not seen, in bytewise order: two imports that bring the same content wait for one another
 * here and never in a circle.
 */
export const INSERT_ITEMS = `
  CREATE TEMP TABLE import_new_item (content_id text COLLATE "C" NOT NULL) ON COMMIT DROP;
  WITH added AS (
    INSERT INTO content_item (content_id, content_type, source, current_revision, status)
    SELECT last.content_id, last.content_type, last.source, last.revision,
           CASE s.kind WHEN 'backfill' THEN 'published' ELSE 'pending' END
    FROM (SELECT DISTINCT ON (u.content_id) u.content_id, u.content_type, u.source, u.revision
          FROM import_unit u
          WHERE NOT EXISTS (SELECT 1 FROM content_item c WHERE c.content_id = u.content_id)
          ORDER BY u.content_id, u.ordinal DESC) AS last
    JOIN source s ON s.name = last.source
    ORDER BY last.content_id
    ON CONFLICT (content_id) DO NOTHING
    RETURNING content_id)
  INSERT INTO import_new_item SELECT content_id FROM added;
  ANALYZE import_new_item;`;

export const REJECT_TYPES_AND_SOURCES = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT r.ordinal, CASE WHEN c.content_type <> r.content_type THEN 'type_conflict' ELSE 'source_conflict' END,
         CASE WHEN c.content_type <> r.content_type THEN 'content_type' ELSE 'source' END
  FROM import_key r JOIN content_item c ON c.content_id = r.content_id
  WHERE (c.content_type <> r.content_type OR c.source <> r.source) AND ${ACCEPTED}`;

/** Known content that gets something new, bytewise. Under these locks nobody else adds a revision or gold to it. */
export const LOCK_ITEMS = `
  SELECT count(*) AS locked FROM (
    SELECT c.content_id
    FROM content_item c
    WHERE c.content_id IN (
            SELECT u.content_id FROM import_unit u
            WHERE NOT EXISTS (SELECT 1 FROM revision v WHERE v.content_id = u.content_id AND v.revision = u.revision)
            UNION
            SELECT g.content_id FROM import_gold g
            WHERE NOT EXISTS (SELECT 1 FROM gold_label l WHERE l.content_id = g.content_id AND l.revision = g.revision
                                AND l.kind = g.kind AND l.label = g.label AND l.value = g.value))
      AND NOT EXISTS (SELECT 1 FROM import_new_item n WHERE n.content_id = c.content_id)
    ORDER BY c.content_id
    FOR UPDATE) AS held`;

export const REJECT_REVISIONS = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT r.ordinal, 'revision_conflict', 'revision'
  FROM import_key r JOIN revision v ON v.content_id = r.content_id AND v.revision = r.revision
  WHERE v.input_sha256 <> r.input_sha256 AND ${ACCEPTED}`;

export const REJECT_GOLD = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT DISTINCT r.ordinal, 'gold_conflict', 'gold'
  FROM import_gold r
  JOIN gold_label l ON l.content_id = r.content_id AND l.revision = r.revision AND l.kind = r.kind
   AND (l.label = r.label AND l.value <> r.value OR r.kind = 'verdict' AND l.label <> r.label)
  WHERE ${ACCEPTED}`;

export const COUNT_REJECTS = 'SELECT count(*) AS rejected FROM import_reject';

export const SELECT_REJECTS = `
  SELECT r.file, r.line, x.code, x.field
  FROM import_reject x JOIN import_row r USING (ordinal)
  ORDER BY r.file, r.line
  LIMIT $1`;

/** Sources that this import brought and then had no row for. */
export const DELETE_EMPTY_SOURCES = `
  DELETE FROM source s
  WHERE s.name = ANY($1::text[]) AND NOT EXISTS (SELECT 1 FROM content_item c WHERE c.source = s.name)`;

export const CREATE_NEW_REVISIONS = `
  CREATE TEMP TABLE import_new ON COMMIT DROP AS
  SELECT u.content_id, u.revision, u.ordinal
  FROM import_unit u
  WHERE NOT EXISTS (SELECT 1 FROM revision v WHERE v.content_id = u.content_id AND v.revision = u.revision);
  ANALYZE import_new;`;

/** Sorted by key, which is far kinder to the index; within one content item in the order of the files. */
export const INSERT_REVISIONS = `
  INSERT INTO revision (content_id, revision, text_sha256, input_sha256, text_bytes, code_points, language, created_at)
  SELECT r.content_id, r.revision, r.text_sha256, r.input_sha256, r.text_bytes, r.code_points, r.language, r.created_at
  FROM import_row r JOIN import_new n ON n.ordinal = r.ordinal
  ORDER BY r.content_id, r.ordinal`;

export const INSERT_TEXTS = `
  INSERT INTO revision_text (content_id, revision, text, title, author_name, parent_text, author_id, parent_id,
                             thread_id, url)
  SELECT r.content_id, r.revision, r.text, r.title, r.author_name, r.parent_text, r.author_id, r.parent_id, r.thread_id,
         r.url
  FROM import_row r JOIN import_new n ON n.ordinal = r.ordinal
  ORDER BY r.content_id, r.revision`;

/** Known content whose last new revision becomes current; `unpublish` where readers must not see it unapproved. */
export const CREATE_EDITS = `
  CREATE TEMP TABLE import_edit ON COMMIT DROP AS
  SELECT last.content_id, last.revision, c.status = 'published' AND s.kind <> 'backfill' AS unpublish
  FROM (SELECT DISTINCT ON (n.content_id) n.content_id, n.revision
        FROM import_new n
        WHERE NOT EXISTS (SELECT 1 FROM import_new_item i WHERE i.content_id = n.content_id)
        ORDER BY n.content_id, n.ordinal DESC) AS last
  JOIN content_item c ON c.content_id = last.content_id
  JOIN source s ON s.name = c.source`;

/** Nobody has judged the new revision, so the rank falls back; an unpublished one gets its rank with its record. */
export const UPDATE_EDITED = `
  UPDATE content_item c
  SET current_revision = e.revision,
      status_rank = CASE WHEN e.unpublish OR c.status = 'removed' THEN c.status_rank ELSE 'policy' END
  FROM import_edit e
  WHERE c.content_id = e.content_id`;

export const SELECT_UNPUBLISHED = `
  SELECT content_id FROM import_edit WHERE unpublish AND content_id > $1 ORDER BY content_id LIMIT $2`;

export const INSERT_GOLD = `
  INSERT INTO gold_label (content_id, revision, kind, label, value, origin)
  SELECT DISTINCT r.content_id, r.revision, r.kind, r.label, r.value, 'import'
  FROM import_gold r
  WHERE ${ACCEPTED}
  ON CONFLICT DO NOTHING`;

export const COPY_MEMBERS = `
  COPY (SELECT content_id, revision, input_sha256 FROM import_unit ORDER BY content_id, revision) TO STDOUT`;

export const SELECT_MEMBER_TOTALS = `
  SELECT u.source, s.kind, u.content_type, count(*) AS revisions
  FROM import_unit u JOIN source s ON s.name = u.source
  GROUP BY u.source, s.kind, u.content_type
  ORDER BY u.source, u.content_type`;

export const COUNT_UNITS = `
  SELECT (SELECT count(*) FROM import_unit) AS revisions, (SELECT count(*) FROM import_new) AS added`;

/** Two imports of the same set meet here: the second waits and takes the first one's snapshot. */
export const INSERT_SNAPSHOT = `
  INSERT INTO snapshot (sha256, revisions) VALUES ($1, $2) ON CONFLICT (sha256) DO NOTHING RETURNING id`;

export const SELECT_SNAPSHOT_ID = 'SELECT id FROM snapshot WHERE sha256 = $1';

export const INSERT_MEMBERS = `
  INSERT INTO snapshot_member (snapshot_id, content_id, revision)
  SELECT $1::uuid, content_id, revision FROM import_unit ORDER BY content_id, revision`;

export const INSERT_TOTALS = `
  INSERT INTO snapshot_total (snapshot_id, source, content_type, revisions)
  SELECT $1::uuid, source, content_type, count(*) FROM import_unit GROUP BY source, content_type`;

export const INSERT_NAME = `
  INSERT INTO snapshot_name (name, snapshot_id) VALUES ($1, $2::uuid) ON CONFLICT (name) DO NOTHING`;

export const SELECT_NAME = 'SELECT snapshot_id FROM snapshot_name WHERE name = $1';

export const SELECT_NAMES = `
  SELECT name FROM snapshot_name WHERE snapshot_id = $1::uuid ORDER BY created_at, name`;

export const BACKEND_PID = 'SELECT pg_backend_pid() AS pid';

export const CANCEL_BACKEND = 'SELECT pg_cancel_backend($1)';
