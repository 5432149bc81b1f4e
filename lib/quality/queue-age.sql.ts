import { WAITING as PROPOSAL_WAITING } from '../enforcement/approvals.sql.ts';
import { WAITING as CASE_WAITING } from '../review/queue.sql.ts';

const AGE_MS = (since: string): string => `(extract(epoch FROM clock_timestamp() - ${since}) * 1000)::float8`;

/** A percentile is the age of a case that is there, never one between two. */
const AGES = (since: string): string => `
  count(*)::int AS count, min(${since}) AS oldest_at, max(${AGE_MS(since)}) AS oldest,
  percentile_disc(ARRAY[0.5, 0.9, 0.99]) WITHIN GROUP (ORDER BY ${AGE_MS(since)}) AS percentiles`;

/** Ages by the database's clock, over exactly what the queue counts and lists. $1 tier, $2 kinds. */
export const CASE_AGES = `
  SELECT ${AGES('k.opened_at')}
  FROM review_case k JOIN content_item c ON c.content_id = k.content_id
  WHERE ${CASE_WAITING}`;

export const PROPOSAL_AGES = `
  SELECT ${AGES('a.proposed_at')}
  FROM enforcement_action a JOIN content_item c ON c.content_id = a.content_id
  WHERE ${PROPOSAL_WAITING}`;

const COUNT_STEPS = `
  (count(*) FILTER (WHERE way = 'in' AND at > clock_timestamp() - interval '1 hour'))::int AS in_hour,
  (count(*) FILTER (WHERE way = 'in' AND at > clock_timestamp() - interval '1 day'))::int AS in_day,
  (count(*) FILTER (WHERE way = 'out' AND at > clock_timestamp() - interval '1 hour'))::int AS out_hour,
  (count(*) FILTER (WHERE way = 'out' AND at > clock_timestamp() - interval '1 day'))::int AS out_day`;

/** An escalated case leaves its first queue and enters the moderators'; one that closed left the queue it was in. */
export const CASE_FLOW = `
  WITH moved AS (
    SELECT k.tier, k.kind, k.opened_at, k.closed_at, e.at AS escalated_at
    FROM review_case k
    LEFT JOIN LATERAL (SELECT min(e.at) AS at FROM case_event e WHERE e.case_id = k.id AND e.kind = 'escalated') e
      ON k.escalation_reason IS NOT NULL
    WHERE k.purpose = 'triage'
      AND (k.opened_at > clock_timestamp() - interval '1 day' OR k.closed_at > clock_timestamp() - interval '1 day'
           OR k.escalation_reason IS NOT NULL)),
  steps AS (
    SELECT CASE WHEN escalated_at IS NULL THEN tier ELSE 'reviewer' END AS tier, kind, opened_at AS at, 'in' AS way FROM moved
    UNION ALL SELECT 'reviewer', kind, escalated_at, 'out' FROM moved WHERE escalated_at IS NOT NULL
    UNION ALL SELECT 'moderator', kind, escalated_at, 'in' FROM moved WHERE escalated_at IS NOT NULL
    UNION ALL SELECT tier, kind, closed_at, 'out' FROM moved WHERE closed_at IS NOT NULL)
  SELECT CASE WHEN tier = 'moderator' THEN 'moderator' WHEN kind = 'exception' THEN 'failed' ELSE 'review' END AS queue,
         ${COUNT_STEPS}
  FROM steps GROUP BY 1`;

export const PROPOSAL_FLOW = `
  SELECT ${COUNT_STEPS}
  FROM (SELECT proposed_at AS at, 'in' AS way FROM enforcement_action
        UNION ALL SELECT coalesce(decided_at, closed_at), 'out' FROM enforcement_action WHERE state <> 'proposed') AS steps`;
