/** What people said about what a policy version said. $1 policy version, $2 a source or null for all. */

/** A decision that was reviewed again stands as its last review says. */
const LAST_REVIEW = `
  SELECT DISTINCT ON (decision_id) decision_id, verdict, labels FROM review
  WHERE policy_version = $1 ORDER BY decision_id, at DESC, id DESC`;

const OF_SOURCE = `
  ($2::text IS NULL OR EXISTS (SELECT FROM content_item c WHERE c.content_id = d.content_id AND c.source = $2))`;

/**
 * For each label: decisions with its score at or above reviewAt, which is what `because` recorded when the decision was
 * made; those of them a person has reviewed; and those of these whose review names the label.
 */
export const COUNT_BY_LABEL = `
  SELECT b.label, count(*)::int AS flagged, count(v.decision_id)::int AS reviewed,
         (count(*) FILTER (WHERE b.label = ANY (v.labels)))::int AS named
  FROM decision d
  CROSS JOIN LATERAL jsonb_to_recordset(d.because) AS b (label text, rule text)
  LEFT JOIN (${LAST_REVIEW}) v ON v.decision_id = d.decision_id
  WHERE d.policy_version = $1 AND d.verdict <> 'allow' AND b.rule IN ('reviewAt', 'restrictAt') AND ${OF_SOURCE}
  GROUP BY b.label`;

/** The machine's verdict against the person's, null where nobody has reviewed. */
export const COUNT_BY_VERDICT = `
  SELECT d.verdict, v.verdict AS person, count(*)::int AS count
  FROM decision d LEFT JOIN (${LAST_REVIEW}) v ON v.decision_id = d.decision_id
  WHERE d.policy_version = $1 AND ${OF_SOURCE}
  GROUP BY d.verdict, v.verdict`;

/** Revisions that were asked about and have no decision: they stay in the denominator that says coverage. */
export const COUNT_WITHOUT_DECISION = `
  SELECT count(DISTINCT i.decision_id)::int AS count
  FROM run r JOIN work_item i ON i.run_id = r.id AND i.state = 'failed_review'
  WHERE r.policy_version = $1 AND ($2::text IS NULL OR i.source = $2)
    AND NOT EXISTS (SELECT FROM decision d WHERE d.decision_id = i.decision_id)`;

/** What moderators made of the policy's own proposals; people's proposals are not the policy's. */
export const COUNT_PROPOSALS = `
  SELECT a.label, a.state, count(*)::int AS count
  FROM enforcement_action a
  WHERE a.policy_version = $1 AND a.proposed_by = 'policy:' || $1
    AND ($2::text IS NULL OR EXISTS (SELECT FROM content_item c WHERE c.content_id = a.content_id AND c.source = $2))
  GROUP BY a.label, a.state`;

/** Policy versions that have decided anything. */
export const USED_VERSIONS = `
  SELECT p.policy_version, p.slug, p.n, p.title, p.published_at
  FROM policy_version p
  WHERE EXISTS (SELECT FROM run r WHERE r.policy_version = p.policy_version)
  ORDER BY p.slug, p.n DESC`;

export const SOURCES = 'SELECT name FROM source ORDER BY name';

/** The newest reviews that do not name a label the machine had flagged: examples to open. $3 limit. */
export const DISAGREEMENTS = `
  SELECT v.content_id, v.revision, v.verdict AS person, v.labels, v.at, d.verdict AS machine, b.label, b.score
  FROM review v
  JOIN decision d ON d.decision_id = v.decision_id
  CROSS JOIN LATERAL jsonb_to_recordset(d.because) AS b (label text, score float8, rule text)
  WHERE v.policy_version = $1 AND b.rule IN ('reviewAt', 'restrictAt') AND b.label <> ALL (v.labels) AND ${OF_SOURCE}
  ORDER BY v.at DESC, v.id DESC, b.score DESC LIMIT $3`;
