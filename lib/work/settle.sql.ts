import { dayOf } from './units.sql.ts';

/**
 * How attempts ended; gives back what they had set aside and what they used, by the day they began and by source. The
 * reservation is read from the attempt itself, so that whoever ends one gives back exactly what was taken.
 */
export const INSERT_OUTCOMES = `
  WITH ended AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::boolean[], $5::int[], $6::bigint[], $7::bigint[],
                         $8::bigint[], $9::text[])
      AS n (id, number, outcome, spends, latency_ms, units, request_bytes, content_bytes, source)),
  booked AS (
    INSERT INTO attempt_outcome (work_item_id, number, outcome, spends, latency_ms, units, request_bytes, content_bytes)
    SELECT id, number, outcome, spends, latency_ms, units, request_bytes, content_bytes FROM ended)
  SELECT ${dayOf('a.started_at')}::text AS day, n.source, coalesce(sum(a.reserved_units), 0)::bigint AS reserved,
         coalesce(sum(n.units), 0)::bigint AS used
  FROM ended n JOIN attempt a ON a.work_item_id = n.id AND a.number = n.number
  GROUP BY 1, 2`;

export const INSERT_EVIDENCE = `
  INSERT INTO evidence (work_item_id, number, raw)
  SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[])`;

/**
 * Ends the hold on items, whatever came of it. Fenced on id and token, without naming the state: see LOCK_HELD. Times
 * are the database's; a delay of null means due at once.
 */
export const UPDATE_ITEMS = `
  UPDATE work_item w
  SET state = n.state, effect = n.effect, deduplicated = n.deduplicated, failure_code = n.failure_code,
      failed_at = CASE WHEN n.state = 'failed_review' THEN clock_timestamp() END,
      settled_at = CASE WHEN n.state <> 'pending' THEN clock_timestamp() END,
      next_attempt_at = CASE WHEN n.delay_ms > 0 THEN clock_timestamp() + n.delay_ms * interval '1 millisecond' END,
      attempt_count = n.attempt_count, spent_count = n.spent_count, invalid_count = n.invalid_count,
      waited_ms = n.waited_ms, call_group = n.call_group, alone = n.alone,
      lease_token = NULL, lease_worker = NULL, lease_until = NULL
  FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::bigint[], $8::int[],
              $9::int[], $10::int[], $11::bigint[], $12::int[], $13::boolean[])
       AS n (id, token, state, effect, deduplicated, failure_code, delay_ms, attempt_count, spent_count,
             invalid_count, waited_ms, call_group, alone)
  WHERE w.id = n.id AND w.lease_token = n.token`;
