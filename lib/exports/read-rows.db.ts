import type pg from 'pg';
import {
  closeCursor,
  declareCursor,
  fetchFromCursor,
  SELECT_ACTIONS,
  SELECT_LINEAGE,
  selectDecisions,
  selectExceptions,
  selectReviews,
} from './read.sql.ts';
import type { BundleRow, DecisionRow, ExceptionRow } from './row.ts';

/** Which rows, and whether they carry what was shown to the classifier and the notes of reviews. */
export type RowsWanted = { readonly runId: string; readonly exportId: string; readonly withText: boolean };

/** Rows fetched at a time; with text a row may be megabytes. */
const BATCH_ROWS = 500;
const BATCH_ROWS_WITH_TEXT = 32;

/** Columns that are named and typed as the members of a row stay as they are; the finished bundle is judged by the
 * schema before it is published. */
type Raw<T> = T & { readonly work_item_id: number };
type RawDecision = Raw<
  Omit<DecisionRow, 'attempts' | 'attempt_lineage' | 'committed_at' | 'review' | 'enforcement' | 'deduplicated'> & {
    readonly committed_ms: number;
    readonly deduplicated: boolean;
  }
>;
type RawException = Raw<
  Omit<ExceptionRow, 'attempts' | 'attempt_lineage' | 'failed_at' | 'review'> & { readonly failed_ms: number }
>;

/**
 * @param client inside the reading transaction.
 * @returns batches of rows in the order of the bundle, the next one fetched while one is written.
 */
export async function* readDecisions(client: pg.PoolClient, wanted: RowsWanted): AsyncGenerator<BundleRow[], void> {
  const batches = readCursor<RawDecision>(
    client,
    { name: 'decisions', text: selectDecisions(wanted.withText) },
    wanted,
  );
  yield* aheadByOne(batches, async (rows) => {
    const lineage = await lineageOf(client, rows);
    const reviews = await reviewsOf(client, rows, wanted);
    const actions = await actionsOf(client, rows);
    return rows.map(({ work_item_id, committed_ms, deduplicated, ...row }) => ({
      ...row,
      ...attemptsOf(lineage, work_item_id),
      committed_at: instant(committed_ms),
      review: reviews.get(row.decision_id) ?? null,
      enforcement: actions.get(row.decision_id) ?? null,
      export_id: wanted.exportId,
      ...(deduplicated ? { deduplicated } : {}),
    }));
  });
}

/** As readDecisions, the exceptions. */
export async function* readExceptions(client: pg.PoolClient, wanted: RowsWanted): AsyncGenerator<BundleRow[], void> {
  const batches = readCursor<RawException>(
    client,
    { name: 'exceptions', text: selectExceptions(wanted.withText) },
    wanted,
  );
  yield* aheadByOne(batches, async (rows) => {
    const lineage = await lineageOf(client, rows);
    const reviews = await reviewsOf(client, rows, wanted);
    return rows.map(({ work_item_id, failed_ms, ...row }) => ({
      ...row,
      ...attemptsOf(lineage, work_item_id),
      failed_at: instant(failed_ms),
      review: reviews.get(row.decision_id) ?? null,
      export_id: wanted.exportId,
    }));
  });
}

/** A cursor of SQL's own, so that between two fetches the same moment can be asked other things. */
async function* readCursor<T extends pg.QueryResultRow>(
  client: pg.PoolClient,
  one: { readonly name: 'decisions' | 'exceptions'; readonly text: string },
  wanted: RowsWanted,
): AsyncGenerator<T[], void> {
  await client.query(declareCursor(one.name, one.text), [wanted.runId]);
  const fetch = fetchFromCursor(one.name, wanted.withText ? BATCH_ROWS_WITH_TEXT : BATCH_ROWS);
  for (;;) {
    const { rows } = await client.query<T>(fetch);
    if (rows.length === 0) break;
    yield rows;
  }
  // One that is left halfway ends with its transaction.
  await client.query(closeCursor(one.name));
}

/** Keeps the database at work while the disk is: one batch is being fetched whenever one is being written, never more. */
async function* aheadByOne<T, R>(
  batches: AsyncGenerator<T[], void>,
  complete: (rows: T[]) => Promise<R[]>,
): AsyncGenerator<R[], void> {
  const fetch = async (): Promise<R[] | null> => {
    const step = await batches.next();
    return step.done ? null : complete(step.value);
  };
  let next = fetch();
  try {
    for (;;) {
      const rows = await next;
      if (!rows) return;
      next = fetch();
      // Met when it is awaited; until then a failure must not count as one that nobody handles.
      next.catch(() => {});
      yield rows;
    }
  } finally {
    await next.catch(() => null);
    await batches.return();
  }
}

type Lineage = Map<number, DecisionRow['attempt_lineage']>;

async function lineageOf(client: pg.PoolClient, rows: readonly Raw<unknown>[]): Promise<Lineage> {
  const ids = rows.map((row) => row.work_item_id);
  const found = await client.query<{ work_item_id: number; number: number; started_ms: number; outcome: string }>(
    SELECT_LINEAGE,
    [ids],
  );
  const lineage: Lineage = new Map();
  for (const { work_item_id, number, started_ms, outcome } of found.rows) {
    const tries = lineage.get(work_item_id) ?? [];
    tries.push({ number, at: instant(started_ms), outcome });
    lineage.set(work_item_id, tries);
  }
  return lineage;
}

function attemptsOf(lineage: Lineage, workItemId: number): Pick<DecisionRow, 'attempts' | 'attempt_lineage'> {
  const tries = lineage.get(workItemId) ?? [];
  return { attempts: tries.length, attempt_lineage: tries };
}

type Keyed = { readonly decision_id: string };
type Review = NonNullable<DecisionRow['review']>;
type Action = NonNullable<DecisionRow['enforcement']>;

async function reviewsOf(
  client: pg.PoolClient,
  rows: readonly Keyed[],
  wanted: RowsWanted,
): Promise<Map<string, Review>> {
  const found = await client.query<Omit<Review, 'at'> & Keyed & { at_ms: number }>(selectReviews(wanted.withText), [
    rows.map((row) => row.decision_id),
  ]);
  return new Map(
    found.rows.map(({ decision_id, at_ms, ...review }) => [decision_id, { ...review, at: instant(at_ms) }]),
  );
}

async function actionsOf(client: pg.PoolClient, rows: readonly Keyed[]): Promise<Map<string, Action>> {
  const ids = rows.map((row) => row.decision_id);
  const found = await client.query<Omit<Action, 'at'> & Keyed & { at_ms: number }>(SELECT_ACTIONS, [ids]);
  return new Map(
    found.rows.map(({ decision_id, at_ms, ...action }) => [decision_id, { ...action, at: instant(at_ms) }]),
  );
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
