/** The day on which an attempt is counted: the one in which it started, in UTC, by the database's clock. */
export const dayOf = (at: string): string => `(${at} AT TIME ZONE 'UTC')::date`;

// A transaction takes these rows last of all, and always in this order: the run, then days bytewise by source.

export const ENSURE_BUDGET = 'INSERT INTO run_budget (run_id) VALUES ($1) ON CONFLICT DO NOTHING';

export const ENSURE_TODAY = `
  INSERT INTO unit_day (day, source)
  SELECT ${dayOf('clock_timestamp()')}, n.source FROM unnest($1::text[]) AS n (source)
  ORDER BY n.source COLLATE "C"
  ON CONFLICT DO NOTHING`;

/** What the run may still use, under lock. */
export const LOCK_BUDGET = `
  SELECT b.used + b.reserved AS taken, b.reserved, (SELECT r.ceiling_units FROM run r WHERE r.id = b.run_id) AS "limit"
  FROM run_budget b WHERE b.run_id = $1 FOR NO KEY UPDATE OF b`;

/** What today may still use, for these sources, under lock; and how long today lasts. */
export const LOCK_TODAY = `
  SELECT d.source, d.used + d.reserved AS taken,
         (SELECT c.daily_units FROM unit_cap c WHERE c.source = d.source) AS "limit",
         ceil(extract(epoch FROM (d.day + 1)::timestamp AT TIME ZONE 'UTC' - clock_timestamp()) * 1000)::int AS left_ms
  FROM unit_day d
  WHERE d.day = ${dayOf('clock_timestamp()')} AND d.source = ANY($1::text[])
  ORDER BY d.day, d.source FOR NO KEY UPDATE OF d`;

/** $2 units that were set aside and are no longer, $3 units that were used. */
export const SETTLE_BUDGET = `
  INSERT INTO run_budget AS b (run_id, used) VALUES ($1, $3)
  ON CONFLICT (run_id) DO UPDATE SET used = b.used + excluded.used, reserved = b.reserved - $2`;

/** A row that is new has nothing set aside: its attempts began before units were booked. */
export const SETTLE_DAYS = `
  WITH ended AS MATERIALIZED (
    SELECT n.day::date AS day, n.source, n.reserved, n.used
    FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS n (day, source, reserved, used))
  INSERT INTO unit_day AS d (day, source, used)
  SELECT day, source, used FROM ended ORDER BY day, source COLLATE "C"
  ON CONFLICT (day, source) DO UPDATE
  SET used = d.used + excluded.used,
      reserved = d.reserved - (SELECT e.reserved FROM ended e WHERE e.day = d.day AND e.source = d.source)`;

/** A sample of what answers of a run measured; asked only where some have been booked. */
export const MEASURED_BEFORE = `
  SELECT coalesce(sum(units), 0)::bigint AS units, coalesce(sum(request_bytes), 0)::bigint AS request_bytes,
         coalesce(sum(content_bytes), 0)::bigint AS content_bytes, coalesce(sum(segments), 0)::int AS requests
  FROM (
    SELECT o.units, o.request_bytes, o.content_bytes, d.segments
    FROM decision d JOIN work_item w ON w.id = d.work_item_id
    JOIN attempt_outcome o ON o.work_item_id = w.id AND o.number = w.attempt_count
    WHERE w.run_id = $1 AND d.policy_version = $2 AND o.units IS NOT NULL AND o.request_bytes IS NOT NULL
    LIMIT $3) AS sample`;

/** Sources of which nothing may be called now. */
export const CLOSED_SOURCES = 'SELECT name FROM source WHERE NOT classifying_open ORDER BY name';
