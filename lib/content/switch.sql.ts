/** Takes the row: whoever leases or records attempts reads the switch after this has committed, or before it began. */
export const SET_CLASSIFYING = `
  UPDATE source SET classifying_open = $2 WHERE name = $1 AND classifying_open <> $2 RETURNING name`;

export const SOURCE_EXISTS = 'SELECT 1 FROM source WHERE name = $1';

export const LIST_SOURCES = `
  SELECT s.name, s.kind, s.classifying_open, s.enforcement_open,
         coalesce((SELECT jsonb_agg(g.policy_version ORDER BY g.policy_slug) FROM governing g WHERE g.source = s.name),
                  '[]'::jsonb) AS governing
  FROM source s ORDER BY s.name`;
