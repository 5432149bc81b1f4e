import { lockUser } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { type CaseRow, type Held, type HeldRefusal, lockHeldCase } from './case-row.db.ts';
import { addCaseEvents, type CaseEventKind } from './cases.db.ts';
import { REOPEN_CASE } from './claim.sql.ts';
import { mayReview } from './judge.ts';
import { DEFER_MAX_MS, DEFER_MIN_MS } from './limits.ts';
import { addNote, dropDraft, keepAsDraft } from './notes.db.ts';
import { ESCALATION_REASONS, knowsReason } from './reasons.ts';

/**
 * Ways to leave a case without a review. They act at once, are events of the case and not reviews, and end the claim.
 */

export type StepAsideRefusal = HeldRefusal | 'role_changed';

/** Act: the case stays in its queue for others; the person who skipped it sees it again only when nothing else is left. */
export function skipCase(pool: Pool, held: Held): Promise<Result<null, StepAsideRefusal>> {
  return transact<null, StepAsideRefusal>(pool, (tx) => stepAside(tx, held, { kind: 'skipped' }));
}

/** Act: as a skip, and says so: the person looked and could not tell. */
export function notSure(pool: Pool, held: Held): Promise<Result<null, StepAsideRefusal>> {
  return transact<null, StepAsideRefusal>(pool, (tx) => stepAside(tx, held, { kind: 'not_sure' }));
}

/**
 * Act: the case leaves every queue for a while.
 * @param forMs how long from now, by the database's clock; between DEFER_MIN_MS and DEFER_MAX_MS.
 * @throws RangeError outside these bounds: the border checks them.
 */
export async function deferCase(
  pool: Pool,
  { forMs, ...held }: Held & { readonly forMs: number },
): Promise<Result<null, StepAsideRefusal>> {
  if (!Number.isInteger(forMs) || forMs < DEFER_MIN_MS || forMs > DEFER_MAX_MS) {
    throw new RangeError('a case cannot be deferred for so long or so short');
  }
  return transact<null, StepAsideRefusal>(pool, (tx) =>
    stepAside(tx, held, { kind: 'deferred', forMs, data: { for_ms: forMs } }),
  );
}

export type EscalateRefusal = StepAsideRefusal | 'reason_required' | 'unknown_reason';

/**
 * Act: the case goes to the moderators, with a reason (of ESCALATION_REASONS) and a note, which is kept as its author's
 * draft where the act is refused.
 */
export async function escalateCase(
  pool: Pool,
  { reasonCode, note, ...held }: Held & { readonly reasonCode: string | null; readonly note: string | null },
): Promise<Result<null, EscalateRefusal>> {
  const escalated = await transact<null, EscalateRefusal>(pool, async (tx) => {
    if (reasonCode === null) return refused('reason_required');
    if (!knowsReason(ESCALATION_REASONS, reasonCode)) return refused('unknown_reason');
    const left = await stepAside(tx, held, { kind: 'escalated', reasonCode, data: { reason: reasonCode } });
    if (!left.ok) return left;
    await addNote(tx, { kind: 'escalation', subject: `case:${held.caseId}`, userId: held.userId, text: note });
    await dropDraft(tx, held.caseId, held.userId);
    return left;
  });
  if (!escalated.ok && escalated.refusal !== 'not_found') await keepAsDraft(pool, held.caseId, held.userId, note);
  return escalated;
}

type Way = {
  readonly kind: Extract<CaseEventKind, 'skipped' | 'deferred' | 'not_sure' | 'escalated'>;
  readonly forMs?: number;
  readonly reasonCode?: string;
  readonly data?: Readonly<Record<string, string | number>>;
};

async function stepAside(tx: Tx, held: Held, way: Way): Promise<Result<null, StepAsideRefusal>> {
  const user = await lockUser(tx, held.userId);
  if (!user) return refused('role_changed');
  const found = await lockHeldCase(tx, held);
  if (!found.ok) return found;
  if (!mayReview(user.role, found.value.tier)) return refused('role_changed', { role: user.role });
  await reopen(tx, found.value, held.token, way);
  const actor: Actor = `user:${held.userId}`;
  const data = way.data ?? {};
  await addCaseEvents(tx, [{ caseId: held.caseId, kind: way.kind, actor, data }]);
  await writeAudit(tx, { actor, kind: `review.${way.kind}`, subject: `case:${held.caseId}`, data });
  return ok(null);
}

async function reopen(tx: Tx, found: CaseRow, token: string, way: Way): Promise<void> {
  const { rowCount } = await tx.query(REOPEN_CASE, [
    found.id,
    token,
    way.forMs ?? null,
    way.kind === 'escalated' ? 'moderator' : null,
    way.reasonCode ?? null,
  ]);
  if (rowCount !== 1) throw new Error('a case moved under its lock');
}
