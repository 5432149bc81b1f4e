import type { Pool } from '../../db/pool.db.ts';
import { transact } from '../../db/transact.db.ts';
import { decisionId, NO_POLICY } from '../../kernel/keys.ts';
import { ok } from '../../kernel/result.ts';
import { importInputs } from '../import/import-files.db.ts';
import type { ImportInput } from '../import/input-rows.ts';
import type { ImportOptions } from '../import/options.ts';
import type { ImportReport, ImportResult } from '../import/report.ts';
import { changeStatuses, lockContent } from '../status.db.ts';
import type { StatusState } from '../status.ts';

/** For tests: something to import that was never a file. */
export function inputOf(content: string | Uint8Array, name = 'test.ndjson'): ImportInput {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    name,
    sizeBytes: bytes.length,
    bytes: async function* () {
      yield bytes;
    },
  };
}

/** For tests: rows as NDJSON; what a row does not say is a comment of source `forum`, revision 1, text `hello`. */
export function ndjson(...rows: readonly object[]): string {
  const usual = { content_type: 'comment', revision: '1', source: 'forum', text: 'hello' };
  return rows.map((row) => `${JSON.stringify({ ...usual, ...row })}\n`).join('');
}

/** For tests: imports rows as `ndjson` writes them. */
export function importRows(
  pool: Pool,
  rows: readonly object[],
  options: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importInputs(pool, [inputOf(ndjson(...rows))], { actor: 'cli', ...options });
}

/** For tests: an import that must succeed. */
export async function imported(
  pool: Pool,
  rows: readonly object[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  const result = await importRows(pool, rows, options);
  if (!result.ok) throw new Error(`the import was refused: ${result.refusal}`);
  return result.value;
}

/** For tests: brings a content item to a status, by the one step that may write it. */
export async function setStatus(pool: Pool, contentId: string, next: StatusState): Promise<void> {
  const result = await transact<null, never>(pool, async (tx) => {
    const content = (await lockContent(tx, [contentId])).get(contentId);
    if (!content) throw new Error('no such content');
    await changeStatuses(tx, [
      {
        content,
        next,
        actor: 'system',
        reason: 'test',
        answers: null,
        decisionId: decisionId(contentId, content.currentRevision, NO_POLICY),
        event: 'content.reviewed',
      },
    ]);
    return ok(null);
  });
  if (!result.ok) throw new Error('the status was not set');
}
