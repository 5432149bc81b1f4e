/** Statements of fixtures: rows that other rooms would write, made directly. Folders `testing/` own no table. */

export const ADD_USER = `
  INSERT INTO app_user (email, name, role) VALUES ($1, $1, $2) RETURNING id`;

export const SET_ROLE = 'UPDATE app_user SET role = $2 WHERE id = $1';

export const ADD_SOURCE = 'INSERT INTO source (name, kind) VALUES ($1, $2) ON CONFLICT DO NOTHING';

export const SET_ENFORCEMENT = 'UPDATE source SET enforcement_open = $2 WHERE name = $1';

export const ADD_ITEM = `
  INSERT INTO content_item (content_id, content_type, source, current_revision, status)
  VALUES ($1, 'comment', $2, '1', $3)`;

export const ADD_REVISION = `
  INSERT INTO revision (content_id, revision, text_sha256, input_sha256, text_bytes, code_points)
  VALUES ($1, $2, repeat('a', 64), repeat('b', 64), 5, 5)`;

export const ADD_TEXT = `
  INSERT INTO revision_text (content_id, revision, text, author_name) VALUES ($1, $2, $3, 'somebody')`;

/** As an arrival does it: what is held or restricted stays, and the rank begins anew. */
export const MAKE_CURRENT = `
  UPDATE content_item SET current_revision = $2, status_rank = 'policy' WHERE content_id = $1`;

export const ADD_DECISION = `
  INSERT INTO decision (decision_id, content_id, revision, policy_version, work_item_id, text_sha256, input_sha256,
                        prompt_sha256, contract_version, classifier, model, classification, verdict, because)
  VALUES ($1, $2, $3, $4, 1, repeat('a', 64), repeat('b', 64), repeat('c', 64), 'scores/1', 'builtin', 'model',
          '{"scores": {"harassment": 0.7}}', $5, $6)`;

export const MAKE_DUE = `
  UPDATE submission SET effective_at = clock_timestamp() - interval '1 second' WHERE id = $1`;

export const EXPIRE_CLAIM = `
  UPDATE review_case SET claim_expires_at = clock_timestamp() - interval '1 second' WHERE id = $1 AND state = 'claimed'`;

export const ITEM_STATE = `
  SELECT status, status_rank AS rank, status_action AS action, status_version AS version FROM content_item
  WHERE content_id = $1`;
