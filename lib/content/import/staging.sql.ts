/** A server whose client was killed in the middle of a long statement then notices within a second. */
export const NOTICE_LOST_CLIENT = "SET SESSION client_connection_check_interval = '1s'";

/** The staging table lives in the import's own connection and goes with it, whatever happens to the process. */
export const CREATE_STAGING = `
  SET SESSION work_mem = '64MB';
  CREATE TEMP TABLE import_row (
    ordinal bigint NOT NULL,
    file integer NOT NULL,
    line bigint NOT NULL,
    content_id text COLLATE "C" NOT NULL,
    content_type text COLLATE "C" NOT NULL,
    revision text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    text text NOT NULL,
    title text,
    author_id text,
    author_name text,
    parent_id text,
    parent_text text,
    thread_id text,
    url text,
    language text,
    created_at timestamptz(3),
    text_sha256 text COLLATE "C" NOT NULL,
    input_sha256 text COLLATE "C" NOT NULL,
    text_bytes integer NOT NULL,
    code_points integer NOT NULL,
    gold_kind text,
    gold jsonb
  );
  CREATE TEMP TABLE import_reject (ordinal bigint PRIMARY KEY, code text NOT NULL, field text);`;

export const COPY_ROWS = `
  COPY import_row (ordinal, file, line, content_id, content_type, revision, source, text, title, author_id, author_name,
                   parent_id, parent_text, thread_id, url, language, created_at, text_sha256, input_sha256, text_bytes,
                   code_points, gold_kind, gold)
  FROM STDIN`;

/**
 * The rows without their text, sorted once for everything that follows. `odd` marks one that contradicts its neighbour,
 * which some row does wherever any two contradict each other.
 */
export const CREATE_KEYS = `
  CREATE TEMP TABLE import_key AS
  SELECT r.ordinal, r.content_id, r.revision, r.content_type, r.source, r.input_sha256,
         r.content_id IS NOT DISTINCT FROM lag(r.content_id) OVER sorted
           AND (r.content_type <> lag(r.content_type) OVER sorted
                OR r.source <> lag(r.source) OVER sorted
                OR r.revision = lag(r.revision) OVER sorted AND r.input_sha256 <> lag(r.input_sha256) OVER sorted) AS odd
  FROM import_row r
  WINDOW sorted AS (ORDER BY r.content_id, r.revision, r.ordinal);
  ANALYZE import_key;`;

export const SELECT_ODD = 'SELECT EXISTS (SELECT 1 FROM import_key WHERE odd) AS odd';

/** One content_id with two types or two sources: there is no telling which line is right, so none is taken. */
export const REJECT_TYPES_AND_SOURCES_IN_FILE = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT k.ordinal, CASE WHEN odd.types THEN 'type_conflict' ELSE 'source_conflict' END,
         CASE WHEN odd.types THEN 'content_type' ELSE 'source' END
  FROM import_key k
  JOIN (SELECT content_id, min(content_type) <> max(content_type) AS types
        FROM import_key
        GROUP BY content_id
        HAVING min(content_type) <> max(content_type) OR min(source) <> max(source)) AS odd USING (content_id)
  ON CONFLICT DO NOTHING`;

/** The same revision with different input, twice in what is imported. */
export const REJECT_REVISIONS_IN_FILE = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT k.ordinal, 'revision_conflict', 'revision'
  FROM import_key k
  JOIN (SELECT content_id, revision
        FROM import_key
        GROUP BY content_id, revision
        HAVING min(input_sha256) <> max(input_sha256)) AS odd USING (content_id, revision)
  ON CONFLICT DO NOTHING`;

/** "slot" is what can hold one value only: a label, or the verdict as a whole. */
export const CREATE_GOLD = `
  CREATE TEMP TABLE import_gold (
    ordinal bigint NOT NULL,
    content_id text COLLATE "C" NOT NULL,
    revision text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    label text COLLATE "C" NOT NULL,
    value smallint NOT NULL,
    slot text COLLATE "C" NOT NULL
  );`;

export const FILL_GOLD = `
  INSERT INTO import_gold
  SELECT r.ordinal, r.content_id, r.revision, r.gold_kind, given.key, given.value::smallint,
         CASE r.gold_kind WHEN 'verdict' THEN '' ELSE given.key END
  FROM import_row r CROSS JOIN LATERAL jsonb_each_text(r.gold) AS given
  WHERE r.gold IS NOT NULL AND NOT EXISTS (SELECT 1 FROM import_reject x WHERE x.ordinal = r.ordinal);
  ANALYZE import_gold;`;

export const REJECT_GOLD_IN_FILE = `
  INSERT INTO import_reject (ordinal, code, field)
  SELECT DISTINCT g.ordinal, 'gold_conflict', 'gold'
  FROM import_gold g
  JOIN (SELECT content_id, revision, kind, slot
        FROM import_gold
        GROUP BY content_id, revision, kind, slot
        HAVING min(value) <> max(value) OR min(label) <> max(label)) AS odd USING (content_id, revision, kind, slot)
  ON CONFLICT DO NOTHING`;
