/** The lowest slot that nobody alive holds. Two that start at once meet the unique index; the loser asks again. */
export const REGISTER_WORKER = `
  INSERT INTO worker (id, slot, environment, version)
  SELECT $1, (SELECT min(s) FROM generate_series(1, (SELECT count(*) + 1 FROM worker WHERE stopped_at IS NULL)) AS s
              WHERE s NOT IN (SELECT slot FROM worker WHERE stopped_at IS NULL)), $2, $3
  ON CONFLICT DO NOTHING
  RETURNING slot`;

export const STOP_SILENT_WORKERS = `
  UPDATE worker SET stopped_at = clock_timestamp()
  WHERE stopped_at IS NULL AND last_seen_at < clock_timestamp() - $1 * interval '1 millisecond'`;

export const BEAT = 'UPDATE worker SET last_seen_at = clock_timestamp() WHERE id = $1 AND stopped_at IS NULL';

export const STOP_WORKER = 'UPDATE worker SET stopped_at = clock_timestamp() WHERE id = $1 AND stopped_at IS NULL';

export const ALIVE_WORKERS = `
  SELECT id, slot, version, started_at, last_seen_at FROM worker
  WHERE stopped_at IS NULL AND last_seen_at > clock_timestamp() - $1 * interval '1 millisecond'
  ORDER BY slot`;
