/** Everything an export reads, inside one REPEATABLE READ transaction, so that all of it is one moment. */

export const BEGIN_READING = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** Plans of half a million rows gain nothing from compiling and lose its start-up time. */
export const READ_WITHOUT_JIT = 'SET LOCAL jit = off';

/** Whole milliseconds since 1970, which is what our columns hold; formatting is the program's. */
const MS = (instant: string): string => `(extract(epoch FROM ${instant}) * 1000)::bigint`;

export const SELECT_HEADER = `
  SELECT r.name AS run, r.mode, p.policy_version, p.policy_sha256, p.prompt_sha256, p.contract_version,
         s.id AS snapshot_id, s.sha256 AS snapshot_sha256,
         (SELECT n.name FROM snapshot_name n WHERE n.snapshot_id = s.id ORDER BY n.created_at, n.name LIMIT 1) AS snapshot_name,
         (SELECT e.id FROM export e WHERE e.run_id = r.id AND e.state = 'published'
            ORDER BY e.published_at DESC, e.id DESC LIMIT 1) AS supersedes,
         ${MS('clock_timestamp()::timestamptz(3)')} AS created_ms
  FROM run r
  JOIN policy_version p ON p.policy_version = r.policy_version
  JOIN snapshot s ON s.id = r.snapshot_id
  WHERE r.id = $1`;

/** Why a run cannot be exported yet: what has not ended. */
export const COUNT_UNFINISHED = `
  SELECT count(*) FILTER (WHERE state = 'pending') AS pending, count(*) FILTER (WHERE state = 'leased') AS leased
  FROM work_item WHERE run_id = $1 AND state IN ('pending', 'leased')`;

/** The machine's verdicts, which reconciliation does not look at. */
export const COUNT_VERDICTS = `
  SELECT i.source, i.content_type, count(*) FILTER (WHERE d.verdict = 'allow') AS allow,
         count(*) FILTER (WHERE d.verdict = 'review') AS review,
         count(*) FILTER (WHERE d.verdict = 'restrict') AS restrict
  FROM work_item i JOIN decision d ON d.decision_id = i.decision_id
  WHERE i.run_id = $1 AND i.state IN ('classified', 'exported')
  GROUP BY i.source, i.content_type`;
