export const HOLD_ITEM = 'SELECT 1 FROM content_item WHERE content_id = $1 FOR UPDATE';

export const HOLD_CASE = 'SELECT 1 FROM review_case WHERE id = $1 FOR UPDATE';

/** Backends of this database that wait for a lock. */
export const WAITING_FOR_LOCKS = `
  SELECT count(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
