/** Each of these selects what breaks a promise about work, whoever did what in whatever order: all must be empty. */
export const BROKEN_WORK: Readonly<Record<string, string>> = {
  'attempts are numbered without a gap': `
    SELECT work_item_id FROM attempt GROUP BY work_item_id HAVING max(number) <> count(*)`,
  'no outcome without its start': `
    SELECT o.work_item_id FROM attempt_outcome o
    LEFT JOIN attempt a ON a.work_item_id = o.work_item_id AND a.number = o.number WHERE a.number IS NULL`,
  'only a leased item has a start without outcome, and only its last': `
    SELECT a.work_item_id FROM attempt a
    LEFT JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
    JOIN work_item w ON w.id = a.work_item_id
    WHERE o.number IS NULL AND (w.state <> 'leased' OR a.number <> w.attempt_count + 1 OR a.lease_token <> w.lease_token)`,
  'the count of attempts is the number of outcomes': `
    SELECT w.id FROM work_item w
    WHERE w.attempt_count <> (SELECT count(*) FROM attempt_outcome o WHERE o.work_item_id = w.id)`,
  'nothing was spent beyond the budget': `
    SELECT id FROM work_item WHERE spent_count > 4 OR invalid_count > 2 OR spent_count > attempt_count`,
  'a classified item has its decision, and only such': `
    SELECT w.id FROM work_item w LEFT JOIN decision d ON d.decision_id = w.decision_id
    WHERE (w.state IN ('classified', 'exported')) <> (d.decision_id IS NOT NULL)`,
  'an item that was decided has an ok, unless another item answered it, and only such': `
    SELECT w.id FROM work_item w
    WHERE (w.state IN ('classified', 'exported')) <> (w.deduplicated OR EXISTS (
      SELECT 1 FROM attempt_outcome o WHERE o.work_item_id = w.id AND o.outcome = 'ok'))`,
  'what is set aside belongs to attempts without an end, run by run': `
    SELECT r.id FROM run r LEFT JOIN run_budget b ON b.run_id = r.id
    WHERE coalesce(b.reserved, 0) <> (
      SELECT coalesce(sum(a.reserved_units), 0) FROM work_item w JOIN attempt a ON a.work_item_id = w.id
      WHERE w.run_id = r.id AND NOT EXISTS (
        SELECT 1 FROM attempt_outcome o WHERE o.work_item_id = a.work_item_id AND o.number = a.number))`,
  'what a run used is what its attempts used, failed ones too': `
    SELECT r.id FROM run r LEFT JOIN run_budget b ON b.run_id = r.id
    WHERE coalesce(b.used, 0) <> (
      SELECT coalesce(sum(o.units), 0) FROM work_item w JOIN attempt_outcome o ON o.work_item_id = w.id
      WHERE w.run_id = r.id)`,
  'what the days used and set aside is what the runs did': `
    SELECT 1 AS differs WHERE (SELECT (coalesce(sum(used), 0), coalesce(sum(reserved), 0)) FROM unit_day WHERE source <> '*')
      <> (SELECT (coalesce(sum(used), 0), coalesce(sum(reserved), 0)) FROM run_budget)`,
  'one unclosed case for each decision': `
    SELECT decision_id FROM review_case WHERE state <> 'closed' GROUP BY decision_id HAVING count(*) > 1`,
  'a complete run has nothing open, and an open run of nothing is complete or paused': `
    SELECT r.id FROM run r
    WHERE (r.state IN ('complete', 'cancelled')) <> NOT EXISTS (
      SELECT 1 FROM work_item w WHERE w.run_id = r.id AND w.state IN ('pending', 'leased'))
      AND r.state NOT IN ('paused', 'waiting')`,
  'a run waits only for the go of a canary that has ended': `
    SELECT r.id FROM run r WHERE r.state = 'waiting' AND (NOT r.canary_open OR EXISTS (
      SELECT 1 FROM work_item w WHERE w.run_id = r.id AND w.canary AND w.state IN ('pending', 'leased')))`,
  'before the go nothing but the canary is called, and no decision of it has an effect': `
    SELECT w.id FROM work_item w JOIN run r ON r.id = w.run_id
    WHERE r.canary_open AND (w.effect IN ('applied', 'none')
      OR (NOT w.canary AND EXISTS (SELECT 1 FROM attempt a WHERE a.work_item_id = w.id)))`,
};
