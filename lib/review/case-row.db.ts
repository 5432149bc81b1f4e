import type { ContentStatus } from '../content/status.ts';
import type { Queryable, Tx } from '../db/pool.db.ts';
import { type Detail, ok, type Refused, type Result, refused } from '../kernel/result.ts';
import { isUuid } from '../kernel/uuid.ts';
import { LOCK_CASE, SELECT_CASE, SELECT_OUTCOME } from './case-row.sql.ts';
import type { CaseEnding, CaseKind, CaseMode, CaseState, Tier } from './case-state.ts';

/** A case as an act needs it. */
export type CaseRow = {
  readonly id: string;
  readonly tier: Tier;
  readonly state: CaseState;
  readonly kind: CaseKind;
  readonly mode: CaseMode;
  readonly contentId: string;
  readonly revision: string;
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly label: string | null;
  readonly claimToken: string | null;
  readonly claimedBy: string | null;
  readonly claimExpiresAt: Date | null;
  /** By the database's clock, at the moment of reading. */
  readonly claimExpired: boolean;
  readonly prefetched: boolean;
  readonly closedAt: Date | null;
  readonly closedAs: CaseEnding | null;
  readonly currentRevision: string;
  readonly contentStatus: ContentStatus;
};

type Row = {
  id: string;
  tier: Tier;
  state: CaseState;
  kind: CaseKind;
  mode: CaseMode;
  content_id: string;
  revision: string;
  decision_id: string;
  policy_version: string;
  label: string | null;
  claim_token: string | null;
  claimed_by: string | null;
  claim_expires_at: Date | null;
  claim_expired: boolean;
  prefetched: boolean;
  closed_at: Date | null;
  closed_as: CaseEnding | null;
  current_revision: string;
  content_status: ContentStatus;
};

/** @returns the case as it is now, without a lock; null where there is none. */
export async function findCase(db: Queryable, caseId: string): Promise<CaseRow | null> {
  return isUuid(caseId) ? one(db, SELECT_CASE, caseId) : null;
}

/** Step: locks the case until the transaction ends. */
export async function lockCase(tx: Tx, caseId: string): Promise<CaseRow | null> {
  return isUuid(caseId) ? one(tx, LOCK_CASE, caseId) : null;
}

/** Who claims what, and the token that proves it. */
export type Held = { readonly caseId: string; readonly token: string; readonly userId: string };

export type HeldRefusal = 'not_found' | 'claim_lost' | 'already_decided';

/**
 * Step: locks a case and checks that this claim still holds it.
 * @returns the case; or `not_found`, `claim_lost` (expired, released, or claimed anew, by whom), `already_decided`.
 */
export async function lockHeldCase(tx: Tx, held: Held): Promise<Result<CaseRow, HeldRefusal>> {
  const found = await lockCase(tx, held.caseId);
  if (!found) return refused('not_found');
  if (found.state === 'claimed' && found.claimToken === held.token && found.claimedBy === held.userId) {
    return found.claimExpired ? refused('claim_lost', { state: 'expired', by: null }) : ok(found);
  }
  return whyNotHeld(tx, found);
}

/** @returns the refusal that tells a person what became of a case that is not theirs to act on. */
export async function whyNotHeld(
  db: Queryable,
  found: CaseRow,
): Promise<Refused<'claim_lost'> | Refused<'already_decided'>> {
  if (found.state === 'closed') return refused('already_decided', await outcome(db, found));
  if (found.state === 'submitted') return refused('already_decided', { state: 'submitted', by: found.claimedBy });
  return refused('claim_lost', { state: found.state, by: found.claimExpired ? null : found.claimedBy });
}

/** Who decided, when and how; or how the system closed the case. */
async function outcome(db: Queryable, found: CaseRow): Promise<Detail> {
  const { rows } = await db.query<{ user_id: string; role: string; verdict: string; at: Date }>(SELECT_OUTCOME, [
    found.id,
  ]);
  const review = rows[0];
  return {
    state: 'closed',
    closed_as: found.closedAs,
    by: review?.user_id ?? null,
    role: review?.role ?? null,
    verdict: review?.verdict ?? null,
    at: (review?.at ?? found.closedAt)?.toISOString() ?? null,
  };
}

async function one(db: Queryable, statement: string, id: string): Promise<CaseRow | null> {
  const { rows } = await db.query<Row>(statement, [id]);
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    tier: row.tier,
    state: row.state,
    kind: row.kind,
    mode: row.mode,
    contentId: row.content_id,
    revision: row.revision,
    decisionId: row.decision_id,
    policyVersion: row.policy_version,
    label: row.label,
    claimToken: row.claim_token,
    claimedBy: row.claimed_by,
    claimExpiresAt: row.claim_expires_at,
    claimExpired: row.claim_expired,
    prefetched: row.prefetched,
    closedAt: row.closed_at,
    closedAs: row.closed_as,
    currentRevision: row.current_revision,
    contentStatus: row.content_status,
  };
}
