/**
 * A key that is taken is none of ours: the standing decision is read afterwards and compared. What all share comes once:
 * $1 policy version, $2 hash of its prompt, $3 contract version, $4 classifier.
 */
export const INSERT_DECISIONS = `
  INSERT INTO decision (decision_id, content_id, revision, policy_version, work_item_id, text_sha256, input_sha256,
                        prompt_sha256, contract_version, classifier, model, classification, verdict, because, segments,
                        normalised, instructed)
  SELECT n.decision_id, n.content_id, n.revision, $1, n.work_item_id, n.text_sha256, n.input_sha256,
         $2, $3, $4, n.model, n.classification, n.verdict, n.because, n.segments,
         string_to_array(n.normalised, ','), n.instructed
  FROM unnest($5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::jsonb[],
              $13::text[], $14::jsonb[], $15::int[], $16::text[], $17::boolean[])
       AS n (decision_id, content_id, revision, work_item_id, text_sha256, input_sha256, model, classification,
             verdict, because, segments, normalised, instructed)
  ORDER BY n.decision_id COLLATE "C"
  ON CONFLICT DO NOTHING`;

/** Standing decisions with the hashes of their revision as it is stored now. */
export const STANDING_DECISIONS = `
  SELECT d.decision_id, d.text_sha256, d.input_sha256, d.prompt_sha256, d.contract_version, d.classification,
         d.verdict, d.because, d.work_item_id, r.text_sha256 AS now_text_sha256, r.input_sha256 AS now_input_sha256
  FROM decision d JOIN revision r ON r.content_id = d.content_id AND r.revision = d.revision
  WHERE d.decision_id = ANY($1::text[])`;
