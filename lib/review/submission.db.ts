import type { Queryable } from '../db/pool.db.ts';
import { isUuid } from '../kernel/uuid.ts';
import type { ReviewVerdict } from './judge.ts';
import { SELECT_SUBMISSION } from './submission.sql.ts';

/** A review on its way, or what became of it. */
export type Submission = {
  readonly id: string;
  readonly caseId: string;
  readonly token: string;
  readonly userId: string;
  readonly verdict: ReviewVerdict;
  readonly labels: readonly string[];
  readonly reasonCode: string | null;
  readonly state: 'waiting' | 'effective' | 'taken_back' | 'refused';
  /** Why it was refused; null unless `state` is `refused`. */
  readonly refusal: string | null;
  readonly effectiveAt: Date;
  /** By the database's clock, at the moment of reading. */
  readonly due: boolean;
};

type Row = {
  id: string;
  case_id: string;
  claim_token: string;
  user_id: string;
  verdict: ReviewVerdict;
  labels: string[];
  reason_code: string | null;
  state: Submission['state'];
  refusal: string | null;
  effective_at: Date;
  due: boolean;
};

/** @returns the submission as it is now; null where there is none. It changes only under its case's lock. */
export async function findSubmission(db: Queryable, id: string): Promise<Submission | null> {
  if (!isUuid(id)) return null;
  const row = (await db.query<Row>(SELECT_SUBMISSION, [id])).rows[0];
  if (!row) return null;
  return {
    id: row.id,
    caseId: row.case_id,
    token: row.claim_token,
    userId: row.user_id,
    verdict: row.verdict,
    labels: row.labels,
    reasonCode: row.reason_code,
    state: row.state,
    refusal: row.refusal,
    effectiveAt: row.effective_at,
    due: row.due,
  };
}
