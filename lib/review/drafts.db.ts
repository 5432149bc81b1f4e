import type { Pool, Queryable } from '../db/pool.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { findCase } from './case-row.db.ts';
import { checkedNote } from './notes.db.ts';
import { DELETE_DRAFT, SAVE_DRAFT, SELECT_DRAFT } from './notes.sql.ts';

export type Draft = { readonly text: string; readonly at: Date };

/**
 * Saves what a person is writing on a case, so that a closed tab loses nothing. A blank text removes the draft. Drafts
 * are their author's alone and change nothing else, so they write no audit event.
 * @returns nothing; or `not_found` where there is no such case.
 */
export async function saveDraft(
  pool: Pool,
  { caseId, userId, text }: { caseId: string; userId: string; text: string },
): Promise<Result<null, 'not_found'>> {
  if (!(await findCase(pool, caseId))) return refused('not_found');
  const kept = checkedNote(text);
  const key = [`case:${caseId}`, `user:${userId}`];
  await (kept === null ? pool.query(DELETE_DRAFT, key) : pool.query(SAVE_DRAFT, [...key, kept]));
  return ok(null);
}

/** @returns what this person was writing on this case, or null. */
export async function readDraft(
  db: Queryable,
  { caseId, userId }: { caseId: string; userId: string },
): Promise<Draft | null> {
  const { rows } = await db.query<Draft>(SELECT_DRAFT, [`case:${caseId}`, `user:${userId}`]);
  return rows[0] ?? null;
}
