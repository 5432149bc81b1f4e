/**
 * One unclosed triage case per decision: a second one for the same key is none. But where the one that stands only
 * records and the new one has effects, it takes over the effects: else an item would be held with nobody to release it.
 */
export const INSERT_CASES = `
  INSERT INTO review_case (kind, mode, content_id, source, content_type, revision, decision_id, policy_version, run_id,
                           reason_code, label, score, opened_by, tier)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::uuid[], $10::text[], $11::text[], $12::float8[], $13::text[], $14::text[])
  ON CONFLICT (decision_id) WHERE purpose = 'triage' AND state <> 'closed' DO UPDATE
  SET mode = EXCLUDED.mode, run_id = EXCLUDED.run_id
  WHERE review_case.mode = 'record' AND EXCLUDED.mode <> 'record'
  RETURNING id, decision_id, xmax = 0 AS added`;

/** Locks in one order, and only cases nobody holds: a person's work is never closed under their hands. */
export const CLOSE_CASES = `
  UPDATE review_case SET state = 'closed', closed_at = clock_timestamp(), closed_as = $3, not_before = NULL
  WHERE id = ANY(ARRAY(
    SELECT id FROM review_case
    WHERE (id = ANY($1::uuid[]) OR decision_id = ANY($2::text[])) AND purpose = 'triage' AND state = 'open'
    ORDER BY id FOR UPDATE))
  RETURNING id`;

export const INSERT_CASE_EVENTS = `
  INSERT INTO case_event (case_id, kind, actor, data)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`;
