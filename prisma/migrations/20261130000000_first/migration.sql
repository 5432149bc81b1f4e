-- The first schema. Ids and everything sorted by promise is COLLATE "C": bytewise over UTF-8, on any server.
-- Closed vocabularies are text with a CHECK, spelled as in the design pages.

-- ── db ────────────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE installation (
  "only" boolean NOT NULL DEFAULT true,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  secret text NOT NULL,
  environment text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT installation_pkey PRIMARY KEY ("only"),
  CONSTRAINT installation_is_single CHECK ("only")
);

-- ── access ────────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE app_user (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  role text NOT NULL,
  session_epoch integer NOT NULL DEFAULT 0,
  disabled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT app_user_pkey PRIMARY KEY (id),
  CONSTRAINT app_user_role_known CHECK (role IN ('reviewer', 'moderator', 'manager', 'owner')),
  CONSTRAINT app_user_email_lower CHECK (email = lower(email))
);
CREATE UNIQUE INDEX app_user_email_key ON app_user (email);

-- ── audit ─────────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  xid bigint NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  kind text NOT NULL,
  subject text,
  data jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT audit_event_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_event_subject_idx ON audit_event (subject, id);

-- ── outbox ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- id is decision_id:status_version, so one decision and status version can never be told twice.
CREATE TABLE outbox_event (
  id text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  status_version integer NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_event_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_event_kind_known CHECK (kind IN ('content.reviewed', 'content.published', 'content.held', 'content.restricted', 'content.restored', 'content.removed', 'content.tagged'))
);
CREATE UNIQUE INDEX outbox_event_content_id_status_version_key ON outbox_event (content_id, status_version);

-- ── content ───────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE source (
  name text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  enforcement_open boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT source_pkey PRIMARY KEY (name),
  CONSTRAINT source_kind_known CHECK (kind IN ('backfill', 'live', 'documents'))
);

-- The one policy version per slug that may have effects on a source. `version` counts the changes; audit has the history.
CREATE TABLE governing (
  source text COLLATE "C" NOT NULL,
  policy_slug text COLLATE "C" NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  version integer NOT NULL DEFAULT 1,
  set_by text NOT NULL,
  set_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT governing_pkey PRIMARY KEY (source, policy_slug)
);

-- Status belongs to current_revision: a new revision becomes current on arrival and resets status_rank.
CREATE TABLE content_item (
  content_id text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  source text COLLATE "C" NOT NULL,
  current_revision text COLLATE "C" NOT NULL,
  status text NOT NULL,
  status_version integer NOT NULL DEFAULT 0,
  status_rank text NOT NULL DEFAULT 'policy',
  status_action text,
  first_seen_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT content_item_pkey PRIMARY KEY (content_id),
  CONSTRAINT content_item_id_length CHECK (octet_length(content_id) BETWEEN 1 AND 512),
  CONSTRAINT content_item_type_known CHECK (content_type IN ('post', 'comment', 'document')),
  CONSTRAINT content_item_status_known CHECK (status IN ('pending', 'published', 'held', 'restricted', 'removed')),
  CONSTRAINT content_item_rank_known CHECK (status_rank IN ('policy', 'reviewer', 'moderator', 'owner')),
  CONSTRAINT content_item_action_known CHECK (status_action IN ('hide', 'limit', 'label')),
  CONSTRAINT content_item_action_iff_restricted CHECK ((status = 'restricted') = (status_action IS NOT NULL))
);
CREATE INDEX content_item_source_idx ON content_item (source, content_type);

-- seq is arrival order: "newer" means a higher seq, never created_at or string order.
CREATE TABLE revision (
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  text_sha256 text COLLATE "C" NOT NULL,
  input_sha256 text COLLATE "C" NOT NULL,
  text_bytes integer NOT NULL,
  code_points integer NOT NULL,
  language text,
  created_at timestamptz(3),
  arrived_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT revision_pkey PRIMARY KEY (content_id, revision),
  CONSTRAINT revision_length CHECK (octet_length(revision) BETWEEN 1 AND 128),
  -- A bounded repeat ({64}) costs 6 µs a hash here; length and alphabet apart cost a tenth of it.
  CONSTRAINT revision_hashes CHECK (octet_length(text_sha256) = 64 AND text_sha256 !~ '[^0-9a-f]' AND octet_length(input_sha256) = 64 AND input_sha256 !~ '[^0-9a-f]')
);

-- What people wrote and who they are: the one place erasure has to empty for a revision.
CREATE TABLE revision_text (
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  text text NOT NULL,
  title text,
  author_name text,
  parent_text text,
  author_id text COLLATE "C",
  parent_id text COLLATE "C",
  thread_id text COLLATE "C",
  url text,
  CONSTRAINT revision_text_pkey PRIMARY KEY (content_id, revision)
);

CREATE TABLE snapshot (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  sha256 text COLLATE "C" NOT NULL,
  revisions integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT snapshot_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX snapshot_sha256_key ON snapshot (sha256);

CREATE TABLE snapshot_name (
  name text COLLATE "C" NOT NULL,
  snapshot_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT snapshot_name_pkey PRIMARY KEY (name)
);
CREATE INDEX snapshot_name_snapshot_id_idx ON snapshot_name (snapshot_id);

CREATE TABLE snapshot_member (
  snapshot_id uuid NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  CONSTRAINT snapshot_member_pkey PRIMARY KEY (snapshot_id, content_id, revision)
);

-- Control totals, taken when the snapshot closes and never recomputed.
CREATE TABLE snapshot_total (
  snapshot_id uuid NOT NULL,
  source text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  revisions integer NOT NULL,
  CONSTRAINT snapshot_total_pkey PRIMARY KEY (snapshot_id, source, content_type)
);

-- kind says what `label` names: a policy label, a whole verdict, or a tag. An absent label is unknown, not 0.
CREATE TABLE gold_label (
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  label text COLLATE "C" NOT NULL,
  value smallint NOT NULL,
  origin text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT gold_label_pkey PRIMARY KEY (content_id, revision, kind, label),
  CONSTRAINT gold_label_kind_known CHECK (kind IN ('label', 'verdict', 'tag')),
  CONSTRAINT gold_label_value_known CHECK (value IN (0, 1))
);

-- Written by every review and with every change of status; (content_id, version) is the status version.
CREATE TABLE rollback_record (
  content_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  revision text COLLATE "C" NOT NULL,
  prior_status text NOT NULL,
  prior_rank text NOT NULL,
  prior_action text,
  next_status text NOT NULL,
  next_rank text NOT NULL,
  next_action text,
  actor text NOT NULL,
  reason text NOT NULL,
  answers text,
  decision_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT rollback_record_pkey PRIMARY KEY (content_id, version),
  CONSTRAINT rollback_record_version_positive CHECK (version > 0),
  CONSTRAINT rollback_record_status_known CHECK (prior_status IN ('pending', 'published', 'held', 'restricted') AND next_status IN ('pending', 'published', 'held', 'restricted', 'removed')),
  CONSTRAINT rollback_record_rank_known CHECK (prior_rank IN ('policy', 'reviewer', 'moderator', 'owner') AND next_rank IN ('policy', 'reviewer', 'moderator', 'owner')),
  CONSTRAINT rollback_record_action_iff_restricted CHECK ((prior_status = 'restricted') = (prior_action IS NOT NULL) AND (next_status = 'restricted') = (next_action IS NOT NULL)),
  CONSTRAINT rollback_record_actor_form CHECK (actor ~ '^(user:.+|policy:.+@[0-9]+|cli|system)$')
);
CREATE INDEX rollback_record_answers_idx ON rollback_record (answers);

-- ── policy ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- document is the RFC 8785 text of what was published, so policy_sha256 can always be recomputed from it.
CREATE TABLE policy_version (
  policy_version text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  n integer NOT NULL,
  policy_sha256 text COLLATE "C" NOT NULL,
  prompt_sha256 text COLLATE "C" NOT NULL,
  contract text NOT NULL,
  contract_version text NOT NULL,
  adapter text NOT NULL,
  model text NOT NULL,
  title text NOT NULL,
  document text NOT NULL,
  published_by text NOT NULL,
  published_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT policy_version_pkey PRIMARY KEY (policy_version),
  CONSTRAINT policy_version_slug_form CHECK (slug ~ '^[a-z0-9-]{1,64}$' AND slug <> 'none'),
  CONSTRAINT policy_version_is_slug_at_n CHECK (n > 0 AND policy_version = slug || '@' || n::text),
  CONSTRAINT policy_version_contract_known CHECK (contract IN ('scores', 'tag', 'verdict'))
);
CREATE UNIQUE INDEX policy_version_slug_n_key ON policy_version (slug, n);
CREATE UNIQUE INDEX policy_version_slug_policy_sha256_key ON policy_version (slug, policy_sha256);

-- ── enforcement ───────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE enforcement_action (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  status_version integer NOT NULL,
  action text NOT NULL,
  state text NOT NULL DEFAULT 'proposed',
  label text,
  reason_code text,
  proposed_by text NOT NULL,
  proposed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  decided_by text,
  decided_at timestamptz(3),
  applied_at timestamptz(3),
  applied_version integer,
  closed_at timestamptz(3),
  closed_as text,
  CONSTRAINT enforcement_action_pkey PRIMARY KEY (id),
  CONSTRAINT enforcement_action_action_known CHECK (action IN ('hide', 'limit', 'label')),
  CONSTRAINT enforcement_action_state_known CHECK (state IN ('proposed', 'approved', 'applied', 'rejected', 'reversed', 'withdrawn')),
  CONSTRAINT enforcement_action_four_eyes CHECK (decided_by IS NULL OR decided_by <> proposed_by),
  CONSTRAINT enforcement_action_decided CHECK (state NOT IN ('approved', 'applied', 'rejected', 'reversed') OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
  CONSTRAINT enforcement_action_applied CHECK ((state IN ('applied', 'reversed')) = (applied_at IS NOT NULL AND applied_version IS NOT NULL)),
  CONSTRAINT enforcement_action_closed CHECK ((state IN ('rejected', 'reversed', 'withdrawn')) = (closed_at IS NOT NULL))
);
CREATE UNIQUE INDEX enforcement_action_one_active ON enforcement_action (content_id) WHERE state IN ('proposed', 'approved', 'applied');
CREATE UNIQUE INDEX enforcement_action_decision_id_status_version_key ON enforcement_action (decision_id, status_version);
CREATE INDEX enforcement_action_proposed_idx ON enforcement_action (proposed_at, id) WHERE state = 'proposed';

-- ── review ────────────────────────────────────────────────────────────────────────────────────────────────────────
-- decision_id is the key of (content_id, revision, policy version), whether a decision row exists or an exception.
CREATE TABLE review_case (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seq bigint GENERATED ALWAYS AS IDENTITY,
  purpose text NOT NULL DEFAULT 'triage',
  tier text NOT NULL DEFAULT 'reviewer',
  state text NOT NULL DEFAULT 'open',
  kind text NOT NULL,
  mode text NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  run_id uuid,
  source text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  reason_code text NOT NULL,
  label text,
  score double precision,
  opened_by text NOT NULL,
  opened_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  not_before timestamptz(3),
  claim_token uuid,
  claimed_by uuid,
  claimed_at timestamptz(3),
  claim_expires_at timestamptz(3),
  prefetched boolean NOT NULL DEFAULT false,
  escalation_reason text,
  closed_at timestamptz(3),
  closed_as text,
  CONSTRAINT review_case_pkey PRIMARY KEY (id),
  CONSTRAINT review_case_purpose_known CHECK (purpose IN ('triage', 'sample', 'adjudication', 'recheck')),
  CONSTRAINT review_case_tier_known CHECK (tier IN ('reviewer', 'moderator')),
  CONSTRAINT review_case_state_known CHECK (state IN ('open', 'claimed', 'submitted', 'closed')),
  CONSTRAINT review_case_kind_known CHECK (kind IN ('decision', 'exception')),
  CONSTRAINT review_case_mode_known CHECK (mode IN ('record', 'hold', 'enforce')),
  CONSTRAINT review_case_claimed_has_token CHECK ((state IN ('claimed', 'submitted')) = (claim_token IS NOT NULL AND claimed_by IS NOT NULL AND claim_expires_at IS NOT NULL)),
  CONSTRAINT review_case_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL AND closed_as IS NOT NULL)),
  CONSTRAINT review_case_closed_as_known CHECK (closed_as IN ('reviewed', 'superseded', 'withdrawn', 'requeued'))
);
CREATE UNIQUE INDEX review_case_one_unclosed_triage ON review_case (decision_id) WHERE purpose = 'triage' AND state <> 'closed';
CREATE INDEX review_case_waiting_idx ON review_case (tier, kind, opened_at, seq) WHERE state <> 'closed';
CREATE INDEX review_case_claimed_by_idx ON review_case (claimed_by) WHERE state IN ('claimed', 'submitted');
CREATE INDEX review_case_content_id_idx ON review_case (content_id);

CREATE TABLE case_event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  case_id uuid NOT NULL,
  kind text NOT NULL,
  actor text NOT NULL,
  data jsonb NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT case_event_pkey PRIMARY KEY (id),
  CONSTRAINT case_event_kind_known CHECK (kind IN ('opened', 'claimed', 'released', 'expired', 'skipped', 'deferred', 'not_sure', 'escalated', 'submitted', 'taken_back', 'refused', 'closed'))
);
CREATE INDEX case_event_case_id_idx ON case_event (case_id, id);

-- A review on its way: stored at the key press, effective six seconds later, taken back until then.
CREATE TABLE submission (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL,
  claim_token uuid NOT NULL,
  user_id uuid NOT NULL,
  verdict text NOT NULL,
  labels text[] NOT NULL DEFAULT '{}',
  reason_code text,
  state text NOT NULL DEFAULT 'waiting',
  refusal text,
  submitted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  effective_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3),
  CONSTRAINT submission_pkey PRIMARY KEY (id),
  CONSTRAINT submission_verdict_known CHECK (verdict IN ('allow', 'restrict')),
  CONSTRAINT submission_state_known CHECK (state IN ('waiting', 'effective', 'taken_back', 'refused')),
  CONSTRAINT submission_ended CHECK ((state = 'waiting') = (ended_at IS NULL)),
  CONSTRAINT submission_refusal_named CHECK ((state = 'refused') = (refusal IS NOT NULL)),
  CONSTRAINT submission_restrict_has_reason CHECK (verdict <> 'restrict' OR reason_code IS NOT NULL)
);
CREATE UNIQUE INDEX submission_one_waiting ON submission (case_id) WHERE state = 'waiting';
CREATE INDEX submission_due_idx ON submission (effective_at) WHERE state = 'waiting';

CREATE TABLE review (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  case_id uuid NOT NULL,
  submission_id uuid NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  verdict text NOT NULL,
  labels text[] NOT NULL DEFAULT '{}',
  reason_code text,
  status_version integer NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT review_pkey PRIMARY KEY (id),
  CONSTRAINT review_role_known CHECK (role IN ('reviewer', 'moderator', 'manager', 'owner')),
  CONSTRAINT review_verdict_known CHECK (verdict IN ('allow', 'restrict')),
  CONSTRAINT review_restrict_has_reason CHECK (verdict <> 'restrict' OR reason_code IS NOT NULL)
);
CREATE UNIQUE INDEX review_submission_id_key ON review (submission_id);
CREATE UNIQUE INDEX review_case_id_key ON review (case_id);
CREATE INDEX review_decision_id_idx ON review (decision_id);
CREATE INDEX review_content_id_idx ON review (content_id);
CREATE INDEX review_user_id_idx ON review (user_id, at);

-- Free words of our own people, apart from the facts so that purging may empty them. One draft per author and case.
CREATE TABLE note (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  kind text NOT NULL,
  subject text NOT NULL,
  author text NOT NULL,
  text text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT note_pkey PRIMARY KEY (id),
  CONSTRAINT note_kind_known CHECK (kind IN ('draft', 'submission', 'escalation', 'case', 'action', 'record'))
);
CREATE UNIQUE INDEX note_one_draft ON note (subject, author) WHERE kind = 'draft';
CREATE INDEX note_subject_idx ON note (subject);

-- ── work ──────────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE run (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text COLLATE "C" NOT NULL,
  snapshot_id uuid NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  mode text NOT NULL,
  state text NOT NULL DEFAULT 'running',
  pause_reason text,
  classifier text NOT NULL,
  concurrency integer NOT NULL,
  not_before timestamptz(3),
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_at timestamptz(3),
  CONSTRAINT run_pkey PRIMARY KEY (id),
  CONSTRAINT run_mode_known CHECK (mode IN ('record', 'hold', 'enforce')),
  CONSTRAINT run_state_known CHECK (state IN ('waiting', 'running', 'paused', 'complete', 'cancelled')),
  CONSTRAINT run_pause_reason_known CHECK (pause_reason IN ('operator', 'config_error', 'model_mismatch', 'quota_exhausted', 'bad_upstream', 'ceiling', 'incident')),
  CONSTRAINT run_paused_has_reason CHECK ((state = 'paused') = (pause_reason IS NOT NULL)),
  CONSTRAINT run_ended CHECK ((state IN ('complete', 'cancelled')) = (ended_at IS NOT NULL)),
  CONSTRAINT run_concurrency_bound CHECK (concurrency BETWEEN 1 AND 512)
);
CREATE UNIQUE INDEX run_name_key ON run (name);
CREATE INDEX run_unfinished_idx ON run (created_at) WHERE state IN ('waiting', 'running', 'paused');

-- For screens only, one row per worker slot so that flushes never queue behind each other; reconciliation recounts.
CREATE TABLE run_counter (
  run_id uuid NOT NULL,
  slot integer NOT NULL,
  decisions bigint NOT NULL DEFAULT 0,
  deduplicated bigint NOT NULL DEFAULT 0,
  exceptions bigint NOT NULL DEFAULT 0,
  attempts bigint NOT NULL DEFAULT 0,
  units bigint NOT NULL DEFAULT 0,
  answer_differs bigint NOT NULL DEFAULT 0,
  CONSTRAINT run_counter_pkey PRIMARY KEY (run_id, slot)
);

-- decision_id is the key of the decision that answers the item, whichever run commits it.
CREATE TABLE work_item (
  id bigint GENERATED ALWAYS AS IDENTITY,
  run_id uuid NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  decision_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  deduplicated boolean NOT NULL DEFAULT false,
  next_attempt_at timestamptz(3),
  lease_token uuid,
  lease_worker uuid,
  lease_until timestamptz(3),
  attempt_count integer NOT NULL DEFAULT 0,
  spent_count integer NOT NULL DEFAULT 0,
  invalid_count integer NOT NULL DEFAULT 0,
  waited_ms bigint NOT NULL DEFAULT 0,
  call_group integer NOT NULL DEFAULT 0,
  alone boolean NOT NULL DEFAULT false,
  effect text,
  failure_code text,
  failed_at timestamptz(3),
  settled_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT work_item_pkey PRIMARY KEY (id),
  CONSTRAINT work_item_state_known CHECK (state IN ('pending', 'leased', 'classified', 'exported', 'failed_review')),
  CONSTRAINT work_item_leased_has_token CHECK ((state = 'leased') = (lease_token IS NOT NULL AND lease_worker IS NOT NULL AND lease_until IS NOT NULL)),
  CONSTRAINT work_item_no_stray_lease CHECK (state = 'leased' OR (lease_token IS NULL AND lease_worker IS NULL AND lease_until IS NULL)),
  CONSTRAINT work_item_effect_known CHECK (effect IN ('not_governing', 'superseded', 'late', 'withheld', 'applied', 'none')),
  CONSTRAINT work_item_effect_iff_classified CHECK ((state IN ('classified', 'exported')) = (effect IS NOT NULL)),
  CONSTRAINT work_item_failed_has_code CHECK ((state = 'failed_review') = (failure_code IS NOT NULL AND failed_at IS NOT NULL)),
  CONSTRAINT work_item_dedup_only_classified CHECK (NOT deduplicated OR state IN ('classified', 'exported'))
);
CREATE UNIQUE INDEX work_item_run_id_content_id_revision_key ON work_item (run_id, content_id, revision);
CREATE INDEX work_item_pending_idx ON work_item (run_id, id) WHERE state = 'pending';
CREATE INDEX work_item_leased_idx ON work_item (lease_until) WHERE state = 'leased';
CREATE INDEX work_item_decision_id_idx ON work_item (decision_id);
CREATE INDEX work_item_failed_idx ON work_item (run_id, failure_code) WHERE state = 'failed_review';

-- A numbered try, recorded just before the call.
CREATE TABLE attempt (
  work_item_id bigint NOT NULL,
  number integer NOT NULL,
  lease_token uuid NOT NULL,
  call_group integer NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT attempt_pkey PRIMARY KEY (work_item_id, number),
  CONSTRAINT attempt_number_positive CHECK (number > 0)
);

-- How a try ended; ok or a failure code. spends says whether it counts against the item's budget.
CREATE TABLE attempt_outcome (
  work_item_id bigint NOT NULL,
  number integer NOT NULL,
  outcome text NOT NULL,
  spends boolean NOT NULL,
  latency_ms integer,
  units bigint,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT attempt_outcome_pkey PRIMARY KEY (work_item_id, number)
);

CREATE TABLE decision (
  decision_id text COLLATE "C" NOT NULL,
  content_id text COLLATE "C" NOT NULL,
  revision text COLLATE "C" NOT NULL,
  policy_version text COLLATE "C" NOT NULL,
  work_item_id bigint NOT NULL,
  text_sha256 text COLLATE "C" NOT NULL,
  input_sha256 text COLLATE "C" NOT NULL,
  prompt_sha256 text COLLATE "C" NOT NULL,
  contract_version text NOT NULL,
  classifier text NOT NULL,
  model text NOT NULL,
  classification jsonb NOT NULL,
  verdict text NOT NULL,
  because jsonb NOT NULL,
  segments integer NOT NULL DEFAULT 1,
  committed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT decision_pkey PRIMARY KEY (decision_id),
  CONSTRAINT decision_verdict_known CHECK (verdict IN ('allow', 'review', 'restrict')),
  CONSTRAINT decision_allow_has_no_because CHECK ((verdict = 'allow') = (jsonb_array_length(because) = 0))
);
CREATE UNIQUE INDEX decision_content_id_revision_policy_version_key ON decision (content_id, revision, policy_version);
CREATE INDEX decision_policy_version_idx ON decision (policy_version, committed_at);

-- The raw answer of one try, under its own access and retention.
CREATE TABLE evidence (
  work_item_id bigint NOT NULL,
  number integer NOT NULL,
  raw text NOT NULL,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT evidence_pkey PRIMARY KEY (work_item_id, number)
);

CREATE TABLE worker (
  id uuid NOT NULL,
  slot integer NOT NULL,
  environment text NOT NULL,
  version text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  stopped_at timestamptz(3),
  CONSTRAINT worker_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX worker_slot_alive_key ON worker (slot) WHERE stopped_at IS NULL;

-- ── exports ───────────────────────────────────────────────────────────────────────────────────────────────────────
CREATE TABLE export (
  id text COLLATE "C" NOT NULL,
  run_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'building',
  path text NOT NULL,
  row_count integer,
  exception_count integer,
  manifest_sha256 text COLLATE "C",
  supersedes text COLLATE "C",
  with_text boolean NOT NULL DEFAULT false,
  purpose text,
  created_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz(3),
  CONSTRAINT export_pkey PRIMARY KEY (id),
  CONSTRAINT export_id_form CHECK (id ~ '^exp_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  CONSTRAINT export_state_known CHECK (state IN ('building', 'published', 'abandoned')),
  CONSTRAINT export_published CHECK ((state = 'published') = (published_at IS NOT NULL AND manifest_sha256 IS NOT NULL)),
  CONSTRAINT export_text_needs_purpose CHECK (NOT with_text OR purpose IS NOT NULL)
);
CREATE INDEX export_run_id_idx ON export (run_id, created_at);

-- ── References ────────────────────────────────────────────────────────────────────────────────────────────────────
-- None on the worker's hot path (its keys are written from rows it has just read and the tables are insert-only);
-- elsewhere a wrong id must fail at once.
ALTER TABLE governing ADD CONSTRAINT governing_source_fkey FOREIGN KEY (source) REFERENCES source (name) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE governing ADD CONSTRAINT governing_policy_version_fkey FOREIGN KEY (policy_version) REFERENCES policy_version (policy_version) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE content_item ADD CONSTRAINT content_item_source_fkey FOREIGN KEY (source) REFERENCES source (name) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE snapshot_name ADD CONSTRAINT snapshot_name_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES snapshot (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE run ADD CONSTRAINT run_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES snapshot (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE run ADD CONSTRAINT run_policy_version_fkey FOREIGN KEY (policy_version) REFERENCES policy_version (policy_version) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE review_case ADD CONSTRAINT review_case_claimed_by_fkey FOREIGN KEY (claimed_by) REFERENCES app_user (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE submission ADD CONSTRAINT submission_case_id_fkey FOREIGN KEY (case_id) REFERENCES review_case (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE submission ADD CONSTRAINT submission_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE review ADD CONSTRAINT review_case_id_fkey FOREIGN KEY (case_id) REFERENCES review_case (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE review ADD CONSTRAINT review_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES submission (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE review ADD CONSTRAINT review_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE export ADD CONSTRAINT export_run_id_fkey FOREIGN KEY (run_id) REFERENCES run (id) ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── Invariants held a second time ─────────────────────────────────────────────────────────────────────────────────
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is insert-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['audit_event', 'outbox_event', 'revision', 'snapshot', 'snapshot_name', 'snapshot_member',
    'snapshot_total', 'gold_label', 'rollback_record', 'policy_version', 'case_event', 'review', 'attempt',
    'attempt_outcome', 'decision'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', t || '_insert_only', t);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', t || '_no_truncate', t);
  END LOOP;
END $$;

-- A status moves one version at a time, always with its rollback record, and never out of removed.
CREATE FUNCTION check_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'removed' THEN
    RAISE EXCEPTION 'removed is final' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status_version <> OLD.status_version + 1
     OR NOT EXISTS (SELECT 1 FROM rollback_record r WHERE r.content_id = NEW.content_id AND r.version = NEW.status_version
                      AND r.next_status = NEW.status AND r.next_rank = NEW.status_rank) THEN
    RAISE EXCEPTION 'a change of status needs its rollback record' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER content_item_status_has_record BEFORE UPDATE ON content_item FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.status_version IS DISTINCT FROM NEW.status_version OR OLD.status_action IS DISTINCT FROM NEW.status_action)
  EXECUTE FUNCTION check_status_change();

-- A closed case stays closed; a closed action stays closed.
CREATE FUNCTION refuse_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is closed for good', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER review_case_closed_is_final BEFORE UPDATE ON review_case FOR EACH ROW WHEN (OLD.state = 'closed') EXECUTE FUNCTION refuse_reopening();
CREATE TRIGGER enforcement_action_closed_is_final BEFORE UPDATE ON enforcement_action FOR EACH ROW
  WHEN (OLD.state IN ('rejected', 'reversed', 'withdrawn')) EXECUTE FUNCTION refuse_reopening();
