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

const TEXT_COLUMNS = ', t.text, t.title, t.author_name, t.parent_text';
const TEXT_JOIN = 'LEFT JOIN revision_text t ON t.content_id = i.content_id AND t.revision = i.revision';

/** The decisions that answer a run's items, in the order of the bundle. work_item_id is the item whose tries gave it. */
export const selectDecisions = (withText: boolean): string => `
  SELECT i.decision_id, i.content_id, c.content_type, c.source, i.revision, d.text_sha256, d.input_sha256,
         d.policy_version, d.prompt_sha256, d.contract_version, d.classifier, d.model, d.classification, d.verdict,
         d.because, ${MS('d.committed_at')} AS committed_ms, i.effect, i.deduplicated,
         d.work_item_id${withText ? TEXT_COLUMNS : ''}
  FROM work_item i
  JOIN decision d ON d.decision_id = i.decision_id
  JOIN content_item c ON c.content_id = i.content_id
  ${withText ? TEXT_JOIN : ''}
  WHERE i.run_id = $1 AND i.state IN ('classified', 'exported')
  ORDER BY i.content_id COLLATE "C", i.revision COLLATE "C"`;

export const selectExceptions = (withText: boolean): string => `
  SELECT i.decision_id, i.content_id, c.content_type, c.source, i.revision, v.text_sha256, v.input_sha256,
         r.policy_version, i.failure_code AS code, ${MS('i.failed_at')} AS failed_ms,
         i.id AS work_item_id${withText ? TEXT_COLUMNS : ''}
  FROM work_item i
  JOIN run r ON r.id = i.run_id
  JOIN content_item c ON c.content_id = i.content_id
  JOIN revision v ON v.content_id = i.content_id AND v.revision = i.revision
  ${withText ? TEXT_JOIN : ''}
  WHERE i.run_id = $1 AND i.state = 'failed_review'
  ORDER BY i.content_id COLLATE "C", i.revision COLLATE "C"`;

export const declareCursor = (name: 'decisions' | 'exceptions', select: string): string =>
  `DECLARE export_${name} NO SCROLL CURSOR FOR ${select}`;
export const fetchFromCursor = (name: 'decisions' | 'exceptions', rows: number): string =>
  `FETCH ${rows} FROM export_${name}`;
export const closeCursor = (name: 'decisions' | 'exceptions'): string => `CLOSE export_${name}`;

/** The tries of a batch of items. One whose worker vanished has no outcome of its own; it is named as what it was. */
export const SELECT_LINEAGE = `
  SELECT a.work_item_id, a.number, ${MS('a.started_at')} AS started_ms, coalesce(o.outcome, 'lease_expired') AS outcome
  FROM attempt a LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
  WHERE a.work_item_id = ANY($1::bigint[])
  ORDER BY a.work_item_id, a.number`;

const NOTE_OF_REVIEW = `(
  SELECT n.text FROM note n
  WHERE n.kind = 'case' AND n.subject = 'case:' || v.case_id::text AND n.author = 'user:' || v.user_id::text
  ORDER BY n.at DESC, n.id DESC LIMIT 1)`;

/** The last review of each key: what was reviewed again stands as its last review says. */
export const selectReviews = (withText: boolean): string => `
  SELECT DISTINCT ON (v.decision_id) v.decision_id, v.verdict, v.labels, v.reason_code AS reason, v.role,
         ${MS('v.at')} AS at_ms${withText ? `, ${NOTE_OF_REVIEW} AS note` : ''}
  FROM review v WHERE v.decision_id = ANY($1::text[])
  ORDER BY v.decision_id, v.at DESC, v.id DESC`;

/** The last action of each key, and since when it is in its state. */
export const SELECT_ACTIONS = `
  SELECT DISTINCT ON (e.decision_id) e.decision_id, e.action, e.state,
         ${MS(`CASE WHEN e.state IN ('rejected', 'reversed', 'withdrawn') THEN e.closed_at
                    WHEN e.state = 'applied' THEN e.applied_at
                    WHEN e.state = 'approved' THEN e.decided_at
                    ELSE e.proposed_at END`)} AS at_ms
  FROM enforcement_action e WHERE e.decision_id = ANY($1::text[])
  ORDER BY e.decision_id, e.status_version DESC`;
