import type { Queryable } from '../db/pool.db.ts';
import { SELECT_INPUTS } from './revisions.sql.ts';

/** What one revision shows to a classifier. Absent members are null. */
export type RevisionInput = {
  readonly contentId: string;
  readonly revision: string;
  readonly text: string;
  readonly title: string | null;
  readonly authorName: string | null;
  readonly parentText: string | null;
  readonly textSha256: string;
  readonly inputSha256: string;
};

type InputRow = {
  content_id: string;
  revision: string;
  text: string;
  title: string | null;
  author_name: string | null;
  parent_text: string | null;
  text_sha256: string;
  input_sha256: string;
};

/**
 * Reads the stored input of revisions, exactly as it was imported.
 * @returns those that exist and still have their text, in no promised order.
 */
export async function readInputs(
  db: Queryable,
  revisions: readonly { readonly contentId: string; readonly revision: string }[],
): Promise<RevisionInput[]> {
  if (revisions.length === 0) return [];
  const { rows } = await db.query<InputRow>(SELECT_INPUTS, [
    revisions.map((one) => one.contentId),
    revisions.map((one) => one.revision),
  ]);
  return rows.map((row) => ({
    contentId: row.content_id,
    revision: row.revision,
    text: row.text,
    title: row.title,
    authorName: row.author_name,
    parentText: row.parent_text,
    textSha256: row.text_sha256,
    inputSha256: row.input_sha256,
  }));
}
