// Each term by its own query over its own table, so that no two of them can be wrong in the same way. Source and type
// come from the content item for members and decisions, and from the item's own columns for work.

/** Revisions: the members of the snapshot. */
export const COUNT_MEMBERS = `
  SELECT c.source, c.content_type, count(*)::int AS count
  FROM run r
  JOIN snapshot_member m ON m.snapshot_id = r.snapshot_id
  JOIN content_item c ON c.content_id = m.content_id
  WHERE r.id = $1 GROUP BY 1, 2`;

/** Revisions as they were counted when the snapshot closed. */
export const CONTROL_TOTALS = `
  SELECT t.source, t.content_type, t.revisions AS count
  FROM run r JOIN snapshot_total t ON t.snapshot_id = r.snapshot_id WHERE r.id = $1`;

/** Decisions: decision rows that answer an item of this run, counted under the source their content has. */
export const COUNT_DECISIONS = `
  SELECT c.source, c.content_type, count(*)::int AS count
  FROM run r
  JOIN work_item w ON w.run_id = r.id AND w.state IN ('classified', 'exported')
  JOIN decision d ON d.decision_id = w.decision_id AND d.content_id = w.content_id AND d.revision = w.revision
    AND d.policy_version = r.policy_version
  JOIN content_item c ON c.content_id = d.content_id
  WHERE r.id = $1 GROUP BY 1, 2`;

export const COUNT_CLASSIFIED = `
  SELECT w.source, w.content_type, count(*)::int AS count
  FROM work_item w WHERE w.run_id = $1 AND w.state IN ('classified', 'exported') GROUP BY 1, 2`;

export const COUNT_FAILED = `
  SELECT w.source, w.content_type, count(*)::int AS count
  FROM work_item w WHERE w.run_id = $1 AND w.state = 'failed_review' GROUP BY 1, 2`;

export const COUNT_OPEN = `
  SELECT w.source, w.content_type, count(*)::int AS count
  FROM work_item w WHERE w.run_id = $1 AND w.state IN ('pending', 'leased') GROUP BY 1, 2`;

export const COUNT_DEDUPLICATED = `
  SELECT w.source, w.content_type, count(*)::int AS count
  FROM work_item w WHERE w.run_id = $1 AND w.deduplicated GROUP BY 1, 2`;

/** Deduplicated as the decisions tell it: another item committed the decision that answers this one. */
export const COUNT_FOREIGN_DECISIONS = `
  SELECT c.source, c.content_type, count(*)::int AS count
  FROM decision d
  JOIN work_item w ON w.decision_id = d.decision_id AND w.id <> d.work_item_id
  JOIN content_item c ON c.content_id = d.content_id
  WHERE w.run_id = $1 AND w.state IN ('classified', 'exported') GROUP BY 1, 2`;

/** Items that do not belong where they are: another source or type than their content, or no member of the snapshot. */
export const COUNT_MISPLACED = `
  SELECT w.source, w.content_type, count(*)::int AS count
  FROM run r
  JOIN work_item w ON w.run_id = r.id
  LEFT JOIN content_item c ON c.content_id = w.content_id AND c.source = w.source AND c.content_type = w.content_type
  LEFT JOIN snapshot_member m
    ON m.snapshot_id = r.snapshot_id AND m.content_id = w.content_id AND m.revision = w.revision
  WHERE r.id = $1 AND (c.content_id IS NULL OR m.content_id IS NULL) GROUP BY 1, 2`;

/** All terms of one moment. */
export const BEGIN_ONE_MOMENT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
