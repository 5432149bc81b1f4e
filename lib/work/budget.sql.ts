/** What a run has used and set aside; no row yet means nothing. */
export const READ_BUDGET = 'SELECT used, reserved FROM run_budget WHERE run_id = $1';

export const SET_CEILING = 'UPDATE run SET ceiling_units = $2 WHERE id = $1';
