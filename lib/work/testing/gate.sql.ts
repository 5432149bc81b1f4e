export const HOLD_CONTENT =
  'SELECT 1 FROM content_item WHERE content_id = ANY($1::text[]) ORDER BY content_id FOR UPDATE';

export const HOLD_ITEMS = 'SELECT 1 FROM work_item WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE';

export const WAITING_FOR_LOCKS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
