import { writeAudit } from '../audit/audit.db.ts';
import type { Pool } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { withdrawSuperseded } from '../enforcement/decide.db.ts';
import { ok } from '../kernel/result.ts';
import { addCaseEvents, closeCases } from './cases.db.ts';
import { EXPIRED_CLAIMS, REOPEN_EXPIRED } from './claim.sql.ts';
import { SUPERSEDED_CASES } from './sweep.sql.ts';

/** Rows one sweep touches at most; the next pass takes the rest. */
export const SWEEP_LIMIT = 500;

/**
 * Act, repeated by the worker: claims that expired by the database's clock end, and their cases are free again.
 * @returns how many.
 */
export async function sweepClaims(pool: Pool): Promise<number> {
  const swept = await transact<number, never>(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; claimed_by: string }>(EXPIRED_CLAIMS, [SWEEP_LIMIT]);
    if (rows.length === 0) return ok(0);
    await tx.query(REOPEN_EXPIRED, [rows.map((row) => row.id)]);
    await addCaseEvents(
      tx,
      rows.map((row) => ({
        caseId: row.id,
        kind: 'expired',
        actor: 'system',
        data: { claimed_by: row.claimed_by },
      })),
    );
    await writeAudit(tx, {
      actor: 'system',
      kind: 'review.claims_expired',
      subject: null,
      data: { count: rows.length },
    });
    return ok(rows.length);
  });
  return swept.ok ? swept.value : 0;
}

/**
 * Act, repeated by the worker: what was asked about a revision that is no longer current is asked no more. Unclaimed
 * cases close, proposals and approvals are withdrawn. A claimed case ends when its reviewer is refused or its claim does.
 * @returns how many of each.
 */
export async function sweepSuperseded(pool: Pool): Promise<{ caseCount: number; actionCount: number }> {
  const swept = await transact<{ caseCount: number; actionCount: number }, never>(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(SUPERSEDED_CASES, [SWEEP_LIMIT]);
    const caseIds = await closeCases(tx, { caseIds: rows.map((row) => row.id), closedAs: 'superseded' });
    const actionIds = await withdrawSuperseded(tx, SWEEP_LIMIT);
    const counts = { caseCount: caseIds.length, actionCount: actionIds.length };
    if (counts.caseCount + counts.actionCount > 0) {
      await writeAudit(tx, {
        actor: 'system',
        kind: 'review.superseded',
        subject: null,
        data: { cases: counts.caseCount, actions: counts.actionCount },
      });
    }
    return ok(counts);
  });
  return swept.ok ? swept.value : { caseCount: 0, actionCount: 0 };
}
