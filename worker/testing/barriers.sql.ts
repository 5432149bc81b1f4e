/** Where a worker can be stopped inside the database. Each is lifted when the transaction that set it ends. */
export const BLOCK_STARTS = 'LOCK TABLE attempt IN ACCESS EXCLUSIVE MODE';
export const BLOCK_DECISIONS = 'LOCK TABLE decision IN ACCESS EXCLUSIVE MODE';
export const BLOCK_COMMITS = 'SELECT pg_advisory_xact_lock(4711)';

/** A commit that decides something waits for the gate, as a commit may wait for its disk. */
export const GATE_COMMITS = `
  CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER commit_gate AFTER INSERT ON decision DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`;

export const WORKERS_WAITING = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'docket worker' AND wait_event_type = 'Lock'`;

/** The server has noticed that the connections of a dead worker are gone. */
export const END_WORKER_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'docket worker'`;

export const WORKER_CONNECTIONS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'docket worker'`;
