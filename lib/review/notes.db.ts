import type { Queryable, Tx } from '../db/pool.db.ts';
import { codePointCount } from '../kernel/text.ts';
import { NOTE_LENGTH_MAX } from './limits.ts';
import { DELETE_DRAFT, INSERT_NOTE, KEEP_AS_DRAFT, TAKE_SUBMISSION_NOTE } from './notes.sql.ts';

/** What a note is about and whose it is. `draft` is not here: drafts have statements of their own. */
export type Note = {
  readonly kind: 'submission' | 'escalation' | 'case' | 'action' | 'record';
  /** `submission:ID`, `case:ID`, `action:ID`, `record:CONTENT_ID:VERSION`. */
  readonly subject: string;
  readonly userId: string;
  /** Blank or null writes nothing. */
  readonly text: string | null;
};

/** Step: keeps a person's words beside what they are about. @throws where they are too long: the border checks that. */
export async function addNote(tx: Tx, note: Note): Promise<void> {
  const text = checkedNote(note.text);
  if (text !== null) await tx.query(INSERT_NOTE, [note.kind, note.subject, `user:${note.userId}`, text]);
}

/** Step: removes the draft, as its words have found their place. */
export async function dropDraft(tx: Tx, caseId: string, userId: string): Promise<void> {
  await tx.query(DELETE_DRAFT, [`case:${caseId}`, `user:${userId}`]);
}

/** Keeps words of a refused act as their author's draft, beside what the draft may say already. */
export async function keepAsDraft(db: Queryable, caseId: string, userId: string, text: string | null): Promise<void> {
  const kept = checkedNote(text);
  if (kept !== null) await db.query(KEEP_AS_DRAFT, [`case:${caseId}`, `user:${userId}`, kept]);
}

/** Step: takes the note of a submission away to be put elsewhere. @returns its text, or null where there was none. */
export async function takeSubmissionNote(tx: Tx, submissionId: string, userId: string): Promise<string | null> {
  const { rows } = await tx.query<{ text: string }>(TAKE_SUBMISSION_NOTE, [
    `submission:${submissionId}`,
    `user:${userId}`,
  ]);
  return rows[0]?.text ?? null;
}

/** @returns the text, or null where it is blank. @throws where it is longer than a note may be. */
export function checkedNote(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  if (codePointCount(text) > NOTE_LENGTH_MAX) throw new RangeError('a note is too long');
  return text;
}
