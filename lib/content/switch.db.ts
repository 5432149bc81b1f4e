import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { LIST_SOURCES, SET_CLASSIFYING, SOURCE_EXISTS } from './switch.sql.ts';

export type SwitchRefusal = 'unknown_source' | 'already';

/**
 * Act: opens or closes the classifying of one source. Closed, nothing of it is leased or called; what is under way ends,
 * intake goes on, and everything that came in meanwhile is classified once it is opened again.
 * @returns whether it is open now; or `unknown_source`, or `already` where it was so.
 */
export function setClassifying(
  pool: Pool,
  { source, open, actor }: { readonly source: string; readonly open: boolean; readonly actor: Actor },
): Promise<Result<boolean, SwitchRefusal>> {
  return transact<boolean, SwitchRefusal>(pool, async (tx) => {
    const { rowCount } = await tx.query(SET_CLASSIFYING, [source, open]);
    if (rowCount === 0) {
      const known = await tx.query(SOURCE_EXISTS, [source]);
      return refused(known.rowCount === 0 ? 'unknown_source' : 'already');
    }
    const kind = open ? 'content.classifying_opened' : 'content.classifying_closed';
    await writeAudit(tx, { actor, kind, subject: `source:${source}`, data: {} });
    return ok(open);
  });
}

/** A source with its switches and the policy versions that govern it. */
export type SourceView = {
  readonly source: string;
  readonly kind: 'backfill' | 'live' | 'documents';
  readonly classifyingOpen: boolean;
  readonly enforcementOpen: boolean;
  readonly governing: readonly string[];
};

type SourceRow = {
  name: string;
  kind: SourceView['kind'];
  classifying_open: boolean;
  enforcement_open: boolean;
  governing: string[];
};

/** @returns every source by name. */
export async function listSources(db: Queryable): Promise<SourceView[]> {
  const { rows } = await db.query<SourceRow>(LIST_SOURCES);
  return rows.map((row) => ({
    source: row.name,
    kind: row.kind,
    classifyingOpen: row.classifying_open,
    enforcementOpen: row.enforcement_open,
    governing: row.governing,
  }));
}
