/** What the benchmark itself asks of PostgreSQL; everything that is measured of Docket goes through its rooms. */

/** A benchmark without these would measure a memory. */
export const DURABILITY = `
  SELECT name, setting FROM pg_settings
  WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes') ORDER BY name`;

export const SERVER_VERSION = `SELECT current_setting('server_version') AS version`;

/** What a finished drain must have left, each in its own table. */
export const COUNT_DRAINED = `
  SELECT (SELECT count(*) FROM work_item WHERE run_id = $1 AND state = 'classified' AND effect IS NOT NULL) AS items,
         (SELECT count(*) FROM decision) AS decisions,
         (SELECT count(*) FROM attempt) AS attempts,
         (SELECT count(*) FROM attempt_outcome WHERE outcome = 'ok') AS outcomes,
         (SELECT count(*) FROM evidence) AS evidence,
         (SELECT count(*) FROM decision WHERE verdict = 'review') AS reviews,
         (SELECT count(*) FROM review_case WHERE state = 'open') AS cases,
         (SELECT state FROM run WHERE id = $1) AS state`;

export const COUNT_IMPORTED = `
  SELECT (SELECT count(*) FROM revision) AS revisions, (SELECT count(*) FROM revision_text) AS texts,
         (SELECT count(*) FROM content_item) AS items, (SELECT count(*) FROM snapshot_member) AS members,
         (SELECT count(*) FROM work_item) AS work`;

export const COUNT_EXPORTED = `
  SELECT count(*) AS items FROM work_item WHERE run_id = $1 AND state = 'exported'`;

/** The rows of a peer of the import: what was given and its hash, under a primary key. */
export const CREATE_COPIED = `
  CREATE TABLE copied (
    content_id text COLLATE "C" NOT NULL, revision text COLLATE "C" NOT NULL, content_type text NOT NULL,
    source text COLLATE "C" NOT NULL, text text NOT NULL, text_sha256 text NOT NULL,
    PRIMARY KEY (content_id, revision))`;
export const COPY_COPIED = 'COPY copied (content_id, revision, content_type, source, text, text_sha256) FROM STDIN';
export const COUNT_COPIED = 'SELECT count(*) AS items FROM copied';

/** What a peer of the worker keeps: one decision and one attempt for each item. */
export const CREATE_PEER_TABLES = `
  CREATE TABLE peer_decision (
    content_id text COLLATE "C" PRIMARY KEY, scores jsonb NOT NULL, verdict text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp());
  CREATE TABLE peer_attempt (
    content_id text COLLATE "C" NOT NULL, number int NOT NULL, outcome text NOT NULL, latency_ms int NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (content_id, number))`;
export const INSERT_PEER_ROWS = `
  WITH n AS (
    SELECT * FROM unnest($1::text[], $2::jsonb[], $3::text[], $4::int[]) AS n (content_id, scores, verdict, latency_ms)
  ), kept AS (
    INSERT INTO peer_decision (content_id, scores, verdict) SELECT content_id, scores, verdict FROM n ON CONFLICT DO NOTHING
  )
  INSERT INTO peer_attempt (content_id, number, outcome, latency_ms) SELECT content_id, 1, 'ok', latency_ms FROM n
  ON CONFLICT DO NOTHING`;
export const COUNT_PEER_ROWS = `
  SELECT (SELECT count(*) FROM peer_decision) AS decisions, (SELECT count(*) FROM peer_attempt) AS attempts`;

/** Revisions of the snapshot, for a peer that reads its work from the same tables. */
export const SELECT_TEXTS = 'SELECT content_id, text FROM revision_text ORDER BY content_id LIMIT $1';

export const ADD_GRAPHILE_JOBS = `
  SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW('classify', json_build_object('content_id', t.content_id, 'text', t.text), NULL, NULL, NULL, NULL, NULL,
               NULL)::graphile_worker.job_spec
    FROM (SELECT content_id, text FROM revision_text ORDER BY content_id LIMIT $1) AS t))`;

/** The rows of the export as one statement, for the peers that read or write them plainly. */
export const EXPORT_ROWS = `
  SELECT i.decision_id, i.content_id, c.content_type, c.source, i.revision, d.text_sha256, d.input_sha256,
         d.policy_version, d.prompt_sha256, d.contract_version, d.classifier, d.model, d.classification, d.verdict,
         d.because, d.committed_at, i.effect, i.deduplicated
  FROM work_item i
  JOIN decision d ON d.decision_id = i.decision_id
  JOIN content_item c ON c.content_id = i.content_id
  WHERE i.run_id = $1 AND i.state IN ('classified', 'exported')
  ORDER BY i.content_id, i.revision`;

/** The same with the tries, as a script of a few lines would ask for them. */
export const EXPORT_ROWS_WITH_TRIES = `
  SELECT x.*, t.tries
  FROM (${EXPORT_ROWS}) AS x
  JOIN work_item w ON w.run_id = $1 AND w.content_id = x.content_id AND w.revision = x.revision
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('number', a.number, 'at', a.started_at, 'outcome', o.outcome) ORDER BY a.number) AS tries
    FROM attempt a LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
    WHERE a.work_item_id = w.id) AS t
  ORDER BY x.content_id, x.revision`;

/** The smallest durable write, beside the acts of the desk. */
export const CREATE_BARE = 'CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text NOT NULL)';
export const INSERT_BARE = 'INSERT INTO bare (note) VALUES ($1)';
/** The smallest question. */
export const ASK = 'SELECT 1';

/** The six seconds in which a submission may be taken back are over. */
export const MAKE_DUE = `
  UPDATE submission SET effective_at = clock_timestamp() - interval '1 millisecond' WHERE id = $1 AND state = 'waiting'`;
export const COUNT_REVIEWS = `
  SELECT (SELECT count(*) FROM review) AS reviews, (SELECT count(*) FROM rollback_record) AS records,
         (SELECT count(*) FROM review_case WHERE closed_as = 'reviewed') AS closed`;
