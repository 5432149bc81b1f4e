import type { Pool } from '../../../lib/db/pool.db.ts';
import { BROKEN } from '../../../lib/review/testing/invariants.sql.ts';
import { reconcile } from '../../../lib/work/reconcile.db.ts';
import { BROKEN_WORK } from '../../../lib/work/testing/invariants.sql.ts';
import { ENDS, LOST_OR_DOUBLED, RUNS, TALLY } from './books.sql.ts';
import { type Kind, TEXTS } from './classifier.http.ts';

/** A promise that is broken, with the rows that break it. */
export type Breach = { readonly promise: string; readonly rows: readonly unknown[] };

/** Counts over a whole database, for the report. */
export type Tally = Readonly<
  Record<
    'runs' | 'items' | 'decisions' | 'deduplicated' | 'exceptions' | 'attempts' | 'expired' | 'actions' | 'events',
    number
  >
>;

const PROMISES = { ...BROKEN_WORK, ...BROKEN, ...LOST_OR_DOUBLED };
export const PROMISE_COUNT = Object.keys(PROMISES).length + 2;
/** Rows shown of a breach. */
const SHOWN_COUNT = 5;

/** Audits a database in which every run has ended. @returns what is lost, doubled or does not add up: nothing, if all is well. */
export async function audit(pool: Pool): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const [promise, broken] of Object.entries(PROMISES)) {
    const { rows } = await pool.query(broken);
    if (rows.length > 0) breaches.push({ promise, rows: rows.slice(0, SHOWN_COUNT) });
  }
  const { rows: runs } = await pool.query<{ id: string; name: string }>(RUNS);
  for (const { id, name } of runs) {
    const { closes, pending, differences } = await reconcile(pool, id);
    if (!closes || pending !== 0) breaches.push({ promise: `${name} reconciles`, rows: differences });
  }
  const wrong = await wrongEnds(pool);
  if (wrong.length > 0) breaches.push({ promise: 'each text ended as the service answered it', rows: wrong });
  return breaches;
}

type End = { text: string; state: string; failure_code: string | null; spent_count: number; verdict: string | null };

const VERDICTS: Partial<Record<Kind, string>> = { fine: 'allow', spam: 'review', worst: 'restrict', poison: 'allow' };
const FAILURES: Partial<Record<Kind, string>> = { broken: 'invalid_json', refused: 'refused' };

/** Kills cost attempts: an item that was hit four times rightly goes to a person; none may end as another was answered. */
async function wrongEnds(pool: Pool): Promise<End[]> {
  const { rows } = await pool.query<End>(ENDS);
  const isRight = (end: End): boolean => {
    const kind = (Object.keys(TEXTS) as Kind[]).find((one) => TEXTS[one] === end.text);
    if (!kind) return false;
    if (end.state !== 'failed_review') return end.verdict === VERDICTS[kind];
    return end.failure_code === FAILURES[kind] || (end.failure_code === 'lease_expired' && end.spent_count === 4);
  };
  return rows.filter((end) => !isRight(end)).slice(0, SHOWN_COUNT);
}

export async function tally(pool: Pool): Promise<Tally> {
  const { rows } = await pool.query<Tally>(TALLY);
  if (!rows[0]) throw new Error('no tally');
  return rows[0];
}
