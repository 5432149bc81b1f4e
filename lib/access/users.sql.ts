const COLUMNS = 'id, email, name, role, session_epoch, disabled_at';

export const SELECT_USER = `SELECT ${COLUMNS} FROM app_user WHERE id = $1`;

/** Held to the end of the transaction: a change of role waits for the act that has read it, or the act reads the new one. */
export const LOCK_USER = `SELECT ${COLUMNS} FROM app_user WHERE id = $1 FOR SHARE`;

export const SELECT_USER_BY_EMAIL = `SELECT ${COLUMNS}, password_hash FROM app_user WHERE email = lower($1)`;

export const INSERT_USER = `
  INSERT INTO app_user (email, name, password_hash, role) VALUES (lower($1), $2, $3, $4)
  ON CONFLICT (email) DO NOTHING
  RETURNING ${COLUMNS}`;
