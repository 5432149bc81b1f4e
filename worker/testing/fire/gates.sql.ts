/**
 * Gates that only the database of a fire has: triggers that wait for an advisory lock (gate, process). Who holds such a
 * lock stops just this process at just this statement, and pg_locks shows it standing there. The product knows nothing of
 * them: a process is told apart by the application_name in its address.
 */
export const INSTALL_GATES = `
  CREATE FUNCTION fire_gate() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE process integer := substring(current_setting('application_name') FROM '^docket-fire-([0-9]+)$')::integer;
  BEGIN
    IF process IS NOT NULL THEN PERFORM pg_advisory_xact_lock_shared(TG_ARGV[0]::integer, process); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER fire_after_lease BEFORE INSERT ON attempt
    FOR EACH STATEMENT EXECUTE FUNCTION fire_gate('41');
  CREATE CONSTRAINT TRIGGER fire_after_attempt_rows AFTER INSERT ON attempt DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION fire_gate('42');
  CREATE TRIGGER fire_after_answer BEFORE INSERT ON decision
    FOR EACH STATEMENT EXECUTE FUNCTION fire_gate('43');
  CREATE CONSTRAINT TRIGGER fire_during_commit AFTER INSERT ON decision DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION fire_gate('44');
  CREATE TRIGGER fire_before_rename AFTER UPDATE OF manifest_sha256 ON export
    FOR EACH ROW EXECUTE FUNCTION fire_gate('45');
  CREATE TRIGGER fire_before_marking BEFORE UPDATE OF state ON export
    FOR EACH ROW WHEN (NEW.state = 'published') EXECUTE FUNCTION fire_gate('46')`;

export const CLOSE_GATE = 'SELECT pg_advisory_lock($1, n) FROM unnest($2::integer[]) AS n';
export const OPEN_GATES = 'SELECT pg_advisory_unlock_all()';

/** The processes that stand at a gate. */
export const AT_GATE = `
  SELECT DISTINCT l.objid::integer AS process FROM pg_locks l
  WHERE l.locktype = 'advisory' AND NOT l.granted AND l.classid = $1
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY 1`;

/** An export reads the decisions first; only its exceptions need this table. */
export const CLOSE_EXCEPTIONS = 'LOCK TABLE revision IN ACCESS EXCLUSIVE MODE';
export const AT_EXCEPTIONS = `
  SELECT DISTINCT substring(a.application_name FROM '[0-9]+$')::integer AS process
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE NOT l.granted AND l.relation = 'revision'::regclass AND a.datname = current_database()
    AND a.application_name = ANY($1::text[])`;

export const END_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = ANY($1::text[])`;

export const CONNECTIONS = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = ANY($1::text[])`;
