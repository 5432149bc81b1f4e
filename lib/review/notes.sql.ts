/** One draft per author and case; saving it again replaces it. */
export const SAVE_DRAFT = `
  INSERT INTO note (kind, subject, author, text) VALUES ('draft', $1, $2, $3)
  ON CONFLICT (subject, author) WHERE kind = 'draft' DO UPDATE SET text = EXCLUDED.text, at = clock_timestamp()`;

/** Adds to a draft that is there already, unless it says the same: words of a person are never dropped for other words. */
export const KEEP_AS_DRAFT = `
  INSERT INTO note (kind, subject, author, text) VALUES ('draft', $1, $2, $3)
  ON CONFLICT (subject, author) WHERE kind = 'draft' DO UPDATE
  SET at = clock_timestamp(),
      text = CASE WHEN position(EXCLUDED.text IN note.text) > 0 THEN note.text
                  WHEN position(note.text IN EXCLUDED.text) > 0 THEN EXCLUDED.text
                  ELSE note.text || E'\\n\\n' || EXCLUDED.text END`;

export const DELETE_DRAFT = "DELETE FROM note WHERE kind = 'draft' AND subject = $1 AND author = $2";

export const SELECT_DRAFT = "SELECT text, at FROM note WHERE kind = 'draft' AND subject = $1 AND author = $2";

export const INSERT_NOTE = 'INSERT INTO note (kind, subject, author, text) VALUES ($1, $2, $3, $4)';

export const TAKE_SUBMISSION_NOTE =
  "DELETE FROM note WHERE kind = 'submission' AND subject = $1 AND author = $2 RETURNING text";
