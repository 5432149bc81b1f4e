/** Each of these selects what breaks a promise of states.md, so that all of them must be empty. */
export const BROKEN: Readonly<Record<string, string>> = {
  'versions are gapless and the newest record is the status': `
    SELECT c.content_id FROM content_item c
    LEFT JOIN rollback_record r ON r.content_id = c.content_id AND r.version = c.status_version
    WHERE c.status_version <> (SELECT count(*) FROM rollback_record n WHERE n.content_id = c.content_id)
       OR (c.status_version > 0 AND (r.next_status, r.next_action IS NOT DISTINCT FROM c.status_action)
                                    IS DISTINCT FROM (c.status, true))`,
  'each record begins where the one before ended': `
    SELECT n.content_id FROM rollback_record o
    JOIN rollback_record n ON n.content_id = o.content_id AND n.version = o.version + 1
    WHERE n.prior_status <> o.next_status OR n.prior_action IS DISTINCT FROM o.next_action
       OR (n.revision = o.revision AND n.prior_rank <> o.next_rank)`,
  'each review has exactly one record, and each record one event': `
    SELECT v.id::text FROM review v
    WHERE 1 <> (SELECT count(*) FROM rollback_record r WHERE r.answers = 'review:' || v.id::text
                  AND r.content_id = v.content_id AND r.version = v.status_version)
    UNION ALL
    SELECT r.content_id FROM rollback_record r
    WHERE 1 <> (SELECT count(*) FROM outbox_event e WHERE e.content_id = r.content_id AND e.status_version = r.version)`,
  'what is held waits for somebody': `
    SELECT c.content_id FROM content_item c
    WHERE c.status = 'held'
      AND NOT EXISTS (SELECT 1 FROM review_case k WHERE k.content_id = c.content_id AND k.state <> 'closed'
                        AND k.revision = c.current_revision AND k.mode <> 'record')
      AND NOT EXISTS (SELECT 1 FROM enforcement_action a WHERE a.content_id = c.content_id
                        AND a.state IN ('proposed', 'approved') AND a.revision = c.current_revision)`,
  'restricted means that an action is applied': `
    SELECT c.content_id FROM content_item c
    LEFT JOIN enforcement_action a ON a.content_id = c.content_id AND a.state = 'applied'
    WHERE (c.status = 'restricted') IS DISTINCT FROM (a.id IS NOT NULL) OR a.action IS DISTINCT FROM c.status_action`,
  'nobody decides on what they proposed': `
    SELECT id::text FROM enforcement_action WHERE decided_by = proposed_by`,
  'nobody holds more than they may': `
    SELECT claimed_by::text FROM review_case
    WHERE state = 'claimed' AND claim_expires_at > clock_timestamp()
    GROUP BY claimed_by
    HAVING count(*) FILTER (WHERE NOT prefetched) > 1 OR count(*) FILTER (WHERE prefetched) > 2`,
  'a submitted case and a waiting submission go together': `
    SELECT k.id::text FROM review_case k
    WHERE (k.state = 'submitted') <> EXISTS (
      SELECT 1 FROM submission s WHERE s.case_id = k.id AND s.state = 'waiting')
    UNION ALL
    SELECT s.id::text FROM submission s JOIN review_case k ON k.id = s.case_id
    WHERE s.state = 'waiting' AND k.claim_token IS DISTINCT FROM s.claim_token`,
  'only a review closes a case as reviewed': `
    SELECT k.id::text FROM review_case k
    WHERE (k.closed_as IS NOT DISTINCT FROM 'reviewed') <> EXISTS (SELECT 1 FROM review v WHERE v.case_id = k.id)`,
};
