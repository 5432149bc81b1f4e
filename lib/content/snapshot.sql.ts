const COLUMNS = `
  s.id, s.sha256, s.revisions, s.created_at,
  ARRAY(SELECT n.name FROM snapshot_name n WHERE n.snapshot_id = s.id ORDER BY n.created_at, n.name) AS names`;

export const SELECT_SNAPSHOT_BY_NAME = `
  SELECT ${COLUMNS} FROM snapshot_name asked JOIN snapshot s ON s.id = asked.snapshot_id WHERE asked.name = $1`;

export const SELECT_SNAPSHOT_BY_ID = `SELECT ${COLUMNS} FROM snapshot s WHERE s.id = $1::uuid`;

export const SELECT_SNAPSHOTS = `SELECT ${COLUMNS} FROM snapshot s ORDER BY s.created_at DESC, s.id`;

export const SELECT_TOTALS = `
  SELECT t.source, t.content_type, t.revisions
  FROM snapshot_total t
  WHERE t.snapshot_id = $1::uuid
  ORDER BY t.source, t.content_type COLLATE "C"`;
