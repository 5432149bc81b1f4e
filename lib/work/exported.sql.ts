/** Items of a run that a published bundle now holds. Those that ended in failed_review stay what they are. */
export const MARK_EXPORTED = `UPDATE work_item SET state = 'exported' WHERE run_id = $1 AND state = 'classified'`;
