import type { StatusState } from '../content/status.ts';
import { ok, type Result, refused } from '../kernel/result.ts';

/** What going back through a rollback record restores: the whole rule, without a database. */

export type RecordFacts = {
  readonly version: number;
  readonly revision: string;
  readonly prior: StatusState;
};

export type RestoreFacts = {
  readonly record: RecordFacts;
  /** Where a later record answers this one. */
  readonly alreadyReversed: boolean;
  readonly content: StatusState & {
    readonly currentRevision: string;
    readonly version: number;
    readonly sourceKind: 'backfill' | 'live' | 'documents';
    readonly enforcementOpen: boolean;
  };
  /** The state of the action that stands on the item. */
  readonly standing: 'proposed' | 'approved' | 'applied' | null;
};

export type Restoration = {
  readonly next: StatusState;
  /** `reinstate`: what was reversed is applied again. The others as in a review. */
  readonly action: 'none' | 'withdraw' | 'reverse' | 'reinstate';
  readonly event: 'content.reviewed' | 'content.held' | 'content.restricted' | 'content.restored';
};

export type RestoreRefusal = 'removed' | 'newer_record' | 'already_reversed' | 'enforcement_closed';

/**
 * Only the newest record can be reversed, and exactly what was before it comes back, with two exceptions that keep an
 * item from being lost or let through: what waited for a machine is held for a person, and a revision that arrived since
 * inherits neither an approval nor the rank of one.
 * @returns what is restored; or `removed`, `newer_record`, `already_reversed`, `enforcement_closed` (what was restricted
 * cannot come back while its source applies nothing).
 */
export function judgeReversal(facts: RestoreFacts): Result<Restoration, RestoreRefusal> {
  const { record, content, standing } = facts;
  if (content.status === 'removed') return refused('removed');
  if (facts.alreadyReversed) return refused('already_reversed');
  if (record.version !== content.version) return refused('newer_record', { newest: content.version });
  const next = restored(facts);
  const action = actionOf(next, standing);
  if (action === 'reinstate' && !content.enforcementOpen) return refused('enforcement_closed');
  return ok({ next, action, event: eventOf(content, next) });
}

function restored({ record, content }: RestoreFacts): StatusState {
  const sameRevision = record.revision === content.currentRevision;
  const rank = sameRevision ? record.prior.rank : 'policy';
  const { status } = record.prior;
  const unseen = !sameRevision && status === 'published' && content.sourceKind !== 'backfill';
  if (status === 'pending' || unseen) return { status: 'held', rank, action: null };
  return { status, rank, action: record.prior.action };
}

function actionOf(next: StatusState, standing: RestoreFacts['standing']): Restoration['action'] {
  if (standing === 'applied') return next.status === 'restricted' ? 'none' : 'reverse';
  if (next.status === 'restricted') return 'reinstate';
  return standing === null ? 'none' : 'withdraw';
}

function eventOf(now: StatusState, next: StatusState): Restoration['event'] {
  if (now.status === next.status) return 'content.reviewed';
  if (next.status === 'held') return 'content.held';
  return next.status === 'restricted' ? 'content.restricted' : 'content.restored';
}
