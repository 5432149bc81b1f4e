import type { Queryable } from '../db/pool.db.ts';
import {
  COUNT_DECISIONS,
  COUNT_EXCEPTIONS,
  COUNT_UNFINISHED,
  SELECT_HEADER,
  SELECT_SNAPSHOT_TOTALS,
} from './read.sql.ts';
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

type Mutable = { -readonly [K in keyof TotalsLine]: TotalsLine[K] };

/**
 * The control totals, each term counted by its own query over its own table; revisions are what the snapshot said when
 * it was closed, whatever became of them.
 */
export async function countTotals(db: Queryable, runId: string): Promise<ControlTotals> {
  const lines = new Map<string, Mutable>();
  const line = (row: { source: string; content_type: string }): Mutable => {
    const key = `${row.content_type}\0${row.source}`;
    const found = lines.get(key) ?? emptyLine(row.source, row.content_type);
    lines.set(key, found);
    return found;
  };
  type Counted<T extends string> = { source: string; content_type: string } & Record<T, number>;
  const revisions = await db.query<Counted<'revisions'>>(SELECT_SNAPSHOT_TOTALS, [runId]);
  for (const row of revisions.rows) line(row).revisions = row.revisions;
  const decisions = await db.query<Counted<'decisions' | 'deduplicated' | 'allow' | 'review' | 'restrict'>>(
    COUNT_DECISIONS,
    [runId],
  );
  let deduplicated = 0;
  for (const row of decisions.rows) {
    const { decisions, allow, review, restrict } = row;
    Object.assign(line(row), { decisions, allow, review, restrict });
    deduplicated += row.deduplicated;
  }
  const exceptions = await db.query<Counted<'exceptions'>>(COUNT_EXCEPTIONS, [runId]);
  for (const row of exceptions.rows) line(row).exceptions = row.exceptions;
  return sumTotals([...lines.values()], deduplicated);
}
