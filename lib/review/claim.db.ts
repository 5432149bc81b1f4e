import { lockUser } from '../access/users.db.ts';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import {
  type CaseRow,
  findCase,
  type Held,
  type HeldRefusal,
  lockCase,
  lockHeldCase,
  whyNotHeld,
} from './case-row.db.ts';
import { addCaseEvents } from './cases.db.ts';
import {
  CLAIM_CASE,
  CLAIMS_OF,
  NEXT_FREE,
  NEXT_PASSED_OVER,
  ONE_AT_A_TIME,
  RENEW_CLAIM,
  RENEW_PREFETCHED,
  REOPEN_CASE,
} from './claim.sql.ts';
import { mayReview } from './judge.ts';
import { CLAIM_MS, PREFETCH_COUNT } from './limits.ts';
import { type Queue, tierAndKind } from './queues.ts';

/** A person's hold on a case. The token proves it in every later act; another tab that claims anew gets another. */
export type Claim = {
  readonly caseId: string;
  readonly token: string;
  readonly expiresAt: Date;
  readonly prefetched: boolean;
};

export type ClaimRefusal =
  | 'not_found'
  | 'role_changed'
  | 'claim_limit'
  | 'claimed_by_other'
  | 'already_decided'
  | 'stale_revision'
  | 'removed';

/**
 * Act: claims one case, which the person asked for by name. Claiming what they hold already gives a fresh token: the tab
 * that held it before has lost it. A prefetched case is promoted.
 * @param prefetch true holds it for later beside the case that is being read.
 * @returns the claim; or `not_found`, `role_changed`, `claim_limit` (which case they hold), `claimed_by_other` (who),
 * `already_decided` (who, when, what), `stale_revision`, `removed`.
 */
export async function claimCase(
  pool: Pool,
  { caseId, userId, prefetch = false }: { caseId: string; userId: string; prefetch?: boolean },
): Promise<Result<Claim, ClaimRefusal>> {
  return transact<Claim, ClaimRefusal>(pool, async (tx) => {
    await tx.query(ONE_AT_A_TIME, [userId]);
    const user = await lockUser(tx, userId);
    if (!user) return refused('role_changed');
    const found = await lockCase(tx, caseId);
    if (!found) return refused('not_found');
    if (!mayReview(user.role, found.tier)) return refused('role_changed', { role: user.role });
    const mine = found.claimedBy === userId;
    if (found.state === 'closed' || found.state === 'submitted') {
      return refused('already_decided', (await whyNotHeld(tx, found)).detail);
    }
    if (found.state === 'claimed' && !found.claimExpired && !mine) {
      return refused('claimed_by_other', { by: found.prefetched ? null : found.claimedBy });
    }
    if (found.contentStatus === 'removed') return refused('removed');
    if (found.currentRevision !== found.revision) return refused('stale_revision');
    const limit = await overLimit(tx, { userId, prefetch, except: caseId });
    if (limit) return refused('claim_limit', limit);
    return ok(await claim(tx, found, userId, prefetch));
  });
}

export type ClaimNextRefusal = 'role_changed' | 'claim_limit' | 'queue_empty';

/**
 * Act: claims the next case of a queue: one the person holds for later, else the oldest that is free. What they skipped
 * or were not sure about comes to them again only when nothing else is left.
 * @param prefetch true holds it for later beside the case that is being read.
 * @returns the claim; or `role_changed`, `claim_limit` (which case they hold), `queue_empty`.
 */
export async function claimNext(
  pool: Pool,
  { userId, queue, prefetch = false }: { userId: string; queue: Queue; prefetch?: boolean },
): Promise<Result<Claim, ClaimNextRefusal>> {
  return transact<Claim, ClaimNextRefusal>(pool, async (tx) => {
    await tx.query(ONE_AT_A_TIME, [userId]);
    const user = await lockUser(tx, userId);
    const { tier, kind } = tierAndKind(queue);
    if (!user || !mayReview(user.role, tier)) return refused('role_changed', { role: user?.role ?? null });
    const limit = await overLimit(tx, { userId, prefetch, except: null });
    if (limit) return refused('claim_limit', limit);
    const found = (prefetch ? null : await heldForLater(tx, userId, queue)) ?? (await nextFree(tx, userId, tier, kind));
    if (!found) return refused('queue_empty');
    return ok(await claim(tx, found, userId, prefetch));
  });
}

/**
 * Renews a claim by the database's clock, and with it what the same person holds for later. It changes nothing anyone
 * answers for, so it writes no audit event.
 * @returns when it expires now; or `claim_lost`, `already_decided`, `not_found`.
 */
export async function heartbeat(pool: Pool, held: Held): Promise<Result<{ expiresAt: Date }, HeldRefusal>> {
  return transact<{ expiresAt: Date }, HeldRefusal>(pool, async (tx) => {
    const found = await findCase(tx, held.caseId);
    if (!found) return refused('not_found');
    if (found.claimToken !== held.token) return whyNotHeld(tx, found);
    const { rows } = await tx.query<{ claim_expires_at: Date }>(RENEW_CLAIM, [
      held.caseId,
      held.token,
      held.userId,
      CLAIM_MS,
    ]);
    if (!rows[0]) return whyNotHeld(tx, found);
    await tx.query(RENEW_PREFETCHED, [held.userId, CLAIM_MS]);
    return ok({ expiresAt: rows[0].claim_expires_at });
  });
}

/**
 * Act: gives a claimed case back to the queue, as if it had not been taken.
 * @returns nothing; or `claim_lost`, `already_decided`, `not_found`.
 */
export async function releaseClaim(pool: Pool, held: Held): Promise<Result<null, HeldRefusal>> {
  return transact<null, HeldRefusal>(pool, async (tx) => {
    const found = await lockHeldCase(tx, held);
    if (!found.ok) return found;
    await tx.query(REOPEN_CASE, [held.caseId, held.token, null, null, null]);
    const actor: Actor = `user:${held.userId}`;
    await addCaseEvents(tx, [{ caseId: held.caseId, kind: 'released', actor }]);
    await writeAudit(tx, { actor, kind: 'review.released', subject: `case:${held.caseId}`, data: {} });
    return ok(null);
  });
}

type HeldCase = { id: string; prefetched: boolean; tier: string; kind: string; current: boolean };

async function claimsOf(tx: Tx, userId: string): Promise<HeldCase[]> {
  return (await tx.query<HeldCase>(CLAIMS_OF, [userId])).rows;
}

/** One case is read at a time and at most two wait beside it: more in one hand would only age there. */
async function overLimit(
  tx: Tx,
  { userId, prefetch, except }: { userId: string; prefetch: boolean; except: string | null },
): Promise<{ case: string | null; count: number } | null> {
  const held = (await claimsOf(tx, userId)).filter((one) => one.prefetched === prefetch && one.id !== except);
  return held.length < (prefetch ? PREFETCH_COUNT : 1) ? null : { case: held[0]?.id ?? null, count: held.length };
}

/** The oldest of what the person holds for later in this queue, locked; null where its claim has just ended. */
async function heldForLater(tx: Tx, userId: string, queue: Queue): Promise<CaseRow | null> {
  const { tier, kind } = tierAndKind(queue);
  const held = await claimsOf(tx, userId);
  const fits = held.find(
    (one) => one.prefetched && one.current && one.tier === tier && (kind === null || one.kind === kind),
  );
  const found = fits ? await lockCase(tx, fits.id) : null;
  return found?.state === 'claimed' && found.claimedBy === userId && !found.claimExpired ? found : null;
}

async function nextFree(tx: Tx, userId: string, tier: string, kind: string | null): Promise<CaseRow | null> {
  const of = kind === null ? 'either' : 'one';
  const values = [tier, kind, `user:${userId}`];
  const fresh = await tx.query<{ id: string }>(NEXT_FREE[of], values);
  const id = (fresh.rows[0] ?? (await tx.query<{ id: string }>(NEXT_PASSED_OVER[of], values)).rows[0])?.id;
  return id === undefined ? null : lockCase(tx, id);
}

async function claim(tx: Tx, found: CaseRow, userId: string, prefetch: boolean): Promise<Claim> {
  const { rows } = await tx.query<{ claim_token: string; claim_expires_at: Date }>(CLAIM_CASE, [
    found.id,
    userId,
    CLAIM_MS,
    prefetch,
  ]);
  if (!rows[0]) throw new Error('a case moved under its lock');
  const actor: Actor = `user:${userId}`;
  if (found.claimExpired && found.claimedBy !== userId) {
    await addCaseEvents(tx, [
      { caseId: found.id, kind: 'expired', actor: 'system', data: { claimed_by: found.claimedBy } },
    ]);
  }
  await addCaseEvents(tx, [{ caseId: found.id, kind: 'claimed', actor, data: { prefetched: prefetch } }]);
  await writeAudit(tx, {
    actor,
    kind: 'review.claimed',
    subject: `case:${found.id}`,
    data: { prefetched: prefetch },
  });
  return { caseId: found.id, token: rows[0].claim_token, expiresAt: rows[0].claim_expires_at, prefetched: prefetch };
}
