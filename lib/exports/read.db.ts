import type { Queryable, Tx } from '../db/pool.db.ts';
import { reconcileIn } from '../work/reconcile.db.ts';
import type { Reconciliation } from '../work/reconciliation.ts';
import { COUNT_UNFINISHED, COUNT_VERDICTS, SELECT_HEADER } from './read.sql.ts';
import { type ControlTotals, emptyLine, sumTotals, type TotalsLine } from './tally.ts';

/** What the manifest says about the run, read at the same moment as the rows. */
export type ExportHeader = {
  readonly run: string;
  readonly mode: 'record' | 'hold' | 'enforce';
  readonly policy_version: string;
  readonly policy_sha256: string;
  readonly prompt_sha256: string;
  readonly contract_version: string;
  readonly snapshot_id: string;
  readonly snapshot_sha256: string;
  readonly snapshot_name: string;
  readonly supersedes: string | null;
  readonly created_at: string;
};

/** @returns the header of a run, or null where there is no such run. */
export async function readHeader(db: Queryable, runId: string): Promise<ExportHeader | null> {
  const { rows } = await db.query<Omit<ExportHeader, 'created_at'> & { created_ms: number }>(SELECT_HEADER, [runId]);
  if (!rows[0]) return null;
  const { created_ms, ...header } = rows[0];
  return { ...header, created_at: new Date(created_ms).toISOString() };
}

/** @returns how many of the run's items have neither decision nor exception yet. */
export async function countUnfinished(db: Queryable, runId: string): Promise<{ pending: number; leased: number }> {
  const { rows } = await db.query<{ pending: number; leased: number }>(COUNT_UNFINISHED, [runId]);
  return rows[0] ?? { pending: 0, leased: 0 };
}

/** What a run counts, each term apart, and whether those counts agree. */
export type Counted = { readonly totals: ControlTotals; readonly reconciliation: Reconciliation };

/** Counts a run by its reconciliation, each term by its own query, and the machine's verdicts beside it. */
export async function countTotals(tx: Tx, runId: string): Promise<Counted> {
  const reconciliation = await reconcileIn(tx, runId);
  type Verdicts = Pick<TotalsLine, 'source' | 'content_type' | 'allow' | 'review' | 'restrict'>;
  const { rows } = await tx.query<Verdicts>(COUNT_VERDICTS, [runId]);
  const by = reconciliation.by.map(({ source, content_type, revisions, decisions, exceptions }): TotalsLine => {
    const verdicts = rows.find((row) => row.source === source && row.content_type === content_type);
    return { ...emptyLine(source, content_type), ...verdicts, revisions, decisions, exceptions };
  });
  const deduplicated = reconciliation.by.reduce((sum, slice) => sum + slice.deduplicated, 0);
  return { totals: sumTotals(by, deduplicated), reconciliation };
}
