/** The run that a decision or exception came from; one that has effects goes before one that only records. */
export const SELECT_ORIGIN = `
  SELECT w.run_id, r.mode, r.policy_version,
         EXISTS (SELECT 1 FROM decision d WHERE d.decision_id = w.decision_id) AS decided
  FROM work_item w JOIN run r ON r.id = w.run_id
  WHERE w.decision_id = $1
  ORDER BY (r.mode = 'record'), w.id LIMIT 1`;

export const SELECT_DECISION_POLICY = 'SELECT policy_version FROM decision WHERE decision_id = $1';

/** An unclosed triage case that can decide the revision, whichever decision it is for. */
export const SELECT_UNCLOSED = `
  SELECT id FROM review_case WHERE content_id = $1 AND revision = $2 AND purpose = 'triage' AND state <> 'closed'
    AND mode <> 'record' LIMIT 1`;
