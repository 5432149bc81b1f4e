export const SEED_SOURCE = `
  INSERT INTO source (name, kind) SELECT unnest($1::text[]), 'backfill' ON CONFLICT DO NOTHING`;

export const SEED_RUN = `
  WITH policy AS (
    INSERT INTO policy_version (policy_version, slug, n, policy_sha256, prompt_sha256, contract, contract_version, adapter,
                                model, title, document, published_by)
    VALUES ('forum@1', 'forum', 1, repeat('a', 64), repeat('b', 64), 'scores', 'scores/1', 'builtin', repeat('c', 64), 'Forum',
            '{}', 'cli')
    ON CONFLICT DO NOTHING),
  snap AS (INSERT INTO snapshot (id, sha256, revisions) VALUES ($1, $2, $3)),
  named AS (INSERT INTO snapshot_name (name, snapshot_id) VALUES ($4, $1))
  INSERT INTO run (id, name, snapshot_id, policy_version, mode, state, classifier, concurrency, created_by, ended_at)
  SELECT $5, $4, $1, 'forum@1', 'hold', $6, 'builtin', 8, 'cli', CASE WHEN $6 = 'complete' THEN now() END`;

const ROWS = `
  jsonb_to_recordset($3::jsonb) AS x (content_id text, revision text, content_type text, source text, text text, title text,
    text_sha256 text, input_sha256 text, decision_id text, state text, verdict text, classification jsonb, because jsonb)`;
const UNUSED = 'WHERE $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL';

/** In this order; each takes run, snapshot and the rows as JSON. */
export const INSERT_ITEMS = [
  `INSERT INTO content_item (content_id, content_type, source, current_revision, status)
   SELECT DISTINCT ON (x.content_id) x.content_id, x.content_type, x.source, x.revision, 'published' FROM ${ROWS} ${UNUSED}
   ON CONFLICT DO NOTHING`,
  `INSERT INTO revision (content_id, revision, text_sha256, input_sha256, text_bytes, code_points)
   SELECT x.content_id, x.revision, x.text_sha256, x.input_sha256, octet_length(x.text), length(x.text)
   FROM ${ROWS} ${UNUSED} ON CONFLICT DO NOTHING`,
  `INSERT INTO revision_text (content_id, revision, text, title)
   SELECT x.content_id, x.revision, x.text, x.title FROM ${ROWS} ${UNUSED} ON CONFLICT DO NOTHING`,
  `INSERT INTO snapshot_member (snapshot_id, content_id, revision)
   SELECT $2, x.content_id, x.revision FROM ${ROWS} ${UNUSED}`,
  `INSERT INTO snapshot_total (snapshot_id, source, content_type, revisions)
   SELECT $2, x.source, x.content_type, count(*) FROM ${ROWS} ${UNUSED} GROUP BY x.source, x.content_type`,
  `INSERT INTO work_item (run_id, content_id, revision, decision_id, source, content_type, state, attempt_count,
                          deduplicated, effect, failure_code, failed_at, settled_at)
   SELECT $1, x.content_id, x.revision, x.decision_id, x.source, x.content_type, x.state, 1,
          x.state = 'classified' AND EXISTS (SELECT 1 FROM decision d WHERE d.decision_id = x.decision_id),
          CASE WHEN x.state = 'classified' THEN 'none' END,
          CASE WHEN x.state = 'failed_review' THEN 'timeout' END,
          CASE WHEN x.state = 'failed_review' THEN clock_timestamp() END,
          CASE WHEN x.state <> 'pending' THEN clock_timestamp() END
   FROM ${ROWS} ${UNUSED} ORDER BY x.decision_id`,
  `INSERT INTO attempt (work_item_id, number, lease_token, call_group)
   SELECT i.id, n, gen_random_uuid(), 0 FROM work_item i, generate_series(1, 2) n
   WHERE i.run_id = $1 AND i.state <> 'pending' AND NOT i.deduplicated AND $2::uuid IS NOT NULL AND $3::jsonb IS NOT NULL`,
  `INSERT INTO attempt_outcome (work_item_id, number, outcome, spends)
   SELECT i.id, 2, CASE WHEN i.state = 'classified' THEN 'ok' ELSE 'timeout' END, i.state <> 'classified' FROM work_item i
   WHERE i.run_id = $1 AND i.state <> 'pending' AND NOT i.deduplicated AND $2::uuid IS NOT NULL AND $3::jsonb IS NOT NULL`,
  `INSERT INTO decision (decision_id, content_id, revision, policy_version, work_item_id, text_sha256, input_sha256,
                         prompt_sha256, contract_version, classifier, model, classification, verdict, because)
   SELECT x.decision_id, x.content_id, x.revision, 'forum@1', i.id, x.text_sha256, x.input_sha256, repeat('b', 64),
          'scores/1', 'builtin', repeat('c', 64), x.classification, x.verdict, x.because
   FROM ${ROWS} JOIN work_item i ON i.run_id = $1 AND i.decision_id = x.decision_id ${UNUSED} AND x.verdict IS NOT NULL
   ON CONFLICT DO NOTHING`,
];
