-- The classifier border and the worker under fire: three answer contracts, money, pacing, and one trigger made strict.

-- ── content ───────────────────────────────────────────────────────────────────────────────────────────────────────
-- Closed, nothing of this source is leased; intake goes on and nothing is lost.
ALTER TABLE source ADD COLUMN classifying_open boolean NOT NULL DEFAULT true;

-- A status moves one version at a time, always with the rollback record that says exactly this step, and never out of
-- removed. The rank alone falls back to policy with a new revision, which inherits no approval.
CREATE OR REPLACE FUNCTION check_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'removed' THEN
    RAISE EXCEPTION 'removed is final' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (NEW.status, NEW.status_version) = (OLD.status, OLD.status_version)
     AND NEW.status_action IS NOT DISTINCT FROM OLD.status_action
     AND NEW.status_rank = 'policy' AND NEW.current_revision <> OLD.current_revision THEN
    RETURN NEW;
  END IF;
  IF NEW.status_version <> OLD.status_version + 1
     OR NOT EXISTS (SELECT 1 FROM rollback_record r WHERE r.content_id = NEW.content_id AND r.version = NEW.status_version
                      AND r.revision = NEW.current_revision
                      AND (r.prior_status, r.prior_rank) = (OLD.status, OLD.status_rank)
                      AND r.prior_action IS NOT DISTINCT FROM OLD.status_action
                      AND (r.next_status, r.next_rank) = (NEW.status, NEW.status_rank)
                      AND r.next_action IS NOT DISTINCT FROM NEW.status_action) THEN
    RAISE EXCEPTION 'a change of status needs its rollback record' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER content_item_status_has_record ON content_item;
CREATE TRIGGER content_item_status_has_record BEFORE UPDATE ON content_item FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.status_version IS DISTINCT FROM NEW.status_version
        OR OLD.status_action IS DISTINCT FROM NEW.status_action OR OLD.status_rank IS DISTINCT FROM NEW.status_rank)
  EXECUTE FUNCTION check_status_change();


-- ── work ──────────────────────────────────────────────────────────────────────────────────────────────────────────
-- A run may begin with a canary: while canary_open only its canary items are leased and their effects are withheld;
-- then it waits for a go. ceiling_units is what its owner approved.
ALTER TABLE run ADD COLUMN ceiling_units bigint;
ALTER TABLE run ADD COLUMN canary_count integer;
ALTER TABLE run ADD COLUMN canary_open boolean NOT NULL DEFAULT false;
ALTER TABLE run ADD CONSTRAINT run_ceiling_positive CHECK (ceiling_units > 0);
ALTER TABLE run ADD CONSTRAINT run_canary_positive CHECK (canary_count > 0);
ALTER TABLE run ADD CONSTRAINT run_canary_open_has_count CHECK (NOT canary_open OR canary_count IS NOT NULL);
ALTER TABLE work_item ADD COLUMN canary boolean NOT NULL DEFAULT false;
CREATE INDEX work_item_canary_idx ON work_item (run_id, id) WHERE canary;
CREATE INDEX work_item_withheld_idx ON work_item (run_id, id) WHERE effect = 'withheld';

-- Units are reserved per dispatch chunk, in the transaction that records the attempts, and settled per flush. A ceiling
-- is held because a reservation that would pass it is refused under this row's lock.
CREATE TABLE run_budget (
  run_id uuid NOT NULL,
  reserved bigint NOT NULL DEFAULT 0,
  used bigint NOT NULL DEFAULT 0,
  CONSTRAINT run_budget_pkey PRIMARY KEY (run_id),
  CONSTRAINT run_budget_not_negative CHECK (reserved >= 0 AND used >= 0)
);

-- What one day (UTC) may cost: for one source, or for everything together where source is '*'.
CREATE TABLE unit_cap (
  source text COLLATE "C" NOT NULL,
  daily_units bigint NOT NULL,
  set_by text NOT NULL,
  set_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT unit_cap_pkey PRIMARY KEY (source),
  CONSTRAINT unit_cap_positive CHECK (daily_units > 0)
);
CREATE TABLE unit_day (
  day date NOT NULL,
  source text COLLATE "C" NOT NULL,
  reserved bigint NOT NULL DEFAULT 0,
  used bigint NOT NULL DEFAULT 0,
  CONSTRAINT unit_day_pkey PRIMARY KEY (day, source),
  CONSTRAINT unit_day_not_negative CHECK (reserved >= 0 AND used >= 0)
);

-- What an attempt reserved when it started; what its request weighed, and how much of that was the content itself: the
-- rest is instructions and context.
ALTER TABLE attempt ADD COLUMN reserved_units bigint NOT NULL DEFAULT 0;
ALTER TABLE attempt_outcome ADD COLUMN request_bytes bigint;
ALTER TABLE attempt_outcome ADD COLUMN content_bytes bigint;

-- How many calls at once a worker allows itself for a run at present, and why; for screens only.
CREATE TABLE run_pace (
  run_id uuid NOT NULL,
  slot integer NOT NULL,
  at_once integer NOT NULL,
  why text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT run_pace_pkey PRIMARY KEY (run_id, slot),
  CONSTRAINT run_pace_at_once_bound CHECK (at_once BETWEEN 0 AND 512),
  CONSTRAINT run_pace_why_known CHECK (why IN ('start', 'steady', 'raised', 'rate_limited', 'latency', 'invalid_answers', 'faults', 'breaker_open', 'breaker_probe'))
);

-- What was taken off an answer before it was read, and whether the content tried to instruct the model.
ALTER TABLE decision ADD COLUMN normalised text[] NOT NULL DEFAULT '{}';
ALTER TABLE decision ADD COLUMN instructed boolean NOT NULL DEFAULT false;
ALTER TABLE decision ADD CONSTRAINT decision_instructed_is_seen CHECK (NOT instructed OR verdict <> 'allow');
