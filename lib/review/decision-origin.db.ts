import type { Queryable, Tx } from '../db/pool.db.ts';
import { decisionId, NO_POLICY } from '../kernel/keys.ts';
import type { CaseKind, CaseMode } from './case-state.ts';
import { SELECT_DECISION_POLICY, SELECT_ORIGIN, SELECT_UNCLOSED } from './decision-origin.sql.ts';

/** What a new case about an earlier decision needs to know of it. */
export type Origin = {
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly runId: string | null;
  readonly kind: CaseKind;
  readonly mode: CaseMode;
};

/**
 * Finds where a decision key came from.
 * @param key the decision or exception a record follows.
 * @param item the content item, for the key of an act on content that has neither.
 * @returns its policy version and run. A case is only opened anew where a status was at stake, so the mode is `hold`
 * unless the run says `enforce`.
 */
export async function originOf(
  db: Queryable,
  key: string,
  item: { contentId: string; revision: string },
): Promise<Origin> {
  const { rows } = await db.query<{ run_id: string; mode: CaseMode; policy_version: string; decided: boolean }>(
    SELECT_ORIGIN,
    [key],
  );
  const origin = rows[0];
  if (origin) {
    const { run_id: runId, policy_version: policyVersion } = origin;
    const mode = origin.mode === 'enforce' ? 'enforce' : 'hold';
    return { decisionId: key, policyVersion, runId, kind: origin.decided ? 'decision' : 'exception', mode };
  }
  const decision = await db.query<{ policy_version: string }>(SELECT_DECISION_POLICY, [key]);
  const policyVersion = decision.rows[0]?.policy_version;
  if (policyVersion) return { decisionId: key, policyVersion, runId: null, kind: 'decision', mode: 'hold' };
  const none = decisionId(item.contentId, item.revision, NO_POLICY);
  return { decisionId: none, policyVersion: NO_POLICY, runId: null, kind: 'decision', mode: 'hold' };
}

/** @returns true where a triage case of this revision is still to be decided. */
export async function hasUnclosedCase(tx: Tx, contentId: string, revision: string): Promise<boolean> {
  return (await tx.query(SELECT_UNCLOSED, [contentId, revision])).rows.length > 0;
}
