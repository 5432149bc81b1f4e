/** Shared locks: many flushes read at once, a change of the governing version waits for them and they for it. */
export const LOCK_GOVERNING = `
  SELECT source, policy_version
  FROM governing
  WHERE source = ANY($1::text[]) AND policy_slug = $2
  ORDER BY source
  FOR SHARE`;

/** One source may be set by two runs at once: the second waits for the first and then finds it set. */
export const GOVERN_WHERE_NONE = `
  INSERT INTO governing (source, policy_slug, policy_version, set_by)
  SELECT asked.source, $2, $3, $4
  FROM unnest($1::text[]) AS asked (source)
  ORDER BY asked.source COLLATE "C"
  ON CONFLICT (source, policy_slug) DO NOTHING
  RETURNING source`;

export const SET_GOVERNING = `
  INSERT INTO governing AS g (source, policy_slug, policy_version, set_by)
  SELECT asked.source, $2, $3, $4
  FROM unnest($1::text[]) AS asked (source)
  ORDER BY asked.source COLLATE "C"
  ON CONFLICT (source, policy_slug) DO UPDATE
    SET policy_version = excluded.policy_version, version = g.version + 1, set_by = excluded.set_by, set_at = clock_timestamp()
    WHERE g.policy_version <> excluded.policy_version
  RETURNING source`;
