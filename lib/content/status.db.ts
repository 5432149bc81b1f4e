import type { Actor } from '../audit/audit.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { compareBytes } from '../kernel/text.ts';
import { addEvents, type OutboxKind } from '../outbox/outbox.db.ts';
import { INSERT_RECORDS, LOCK_CONTENT, PERSON_ACTED, UPDATE_STATUS } from './status.sql.ts';
import { policyMay, type StatusState } from './status.ts';

/** A content item as read under its row lock. */
export type LockedContent = StatusState & {
  readonly contentId: string;
  readonly contentType: 'post' | 'comment' | 'document';
  readonly source: string;
  readonly sourceKind: 'backfill' | 'live' | 'documents';
  /** The owner's switch: true where an approved action is applied at once. */
  readonly enforcementOpen: boolean;
  readonly currentRevision: string;
  /** The status version, 0 at creation. */
  readonly version: number;
};

/** One step of a content item's status; where prior equals next it records an act that changed nothing. */
export type StatusChange = {
  readonly content: LockedContent;
  readonly next: StatusState;
  readonly actor: Actor;
  /** A reason code: of the policy, of the person, or of the system. Never free text. */
  readonly reason: string;
  /** What it answers: `review:ID`, `action:ID`, `record:VERSION`, or null. */
  readonly answers: string | null;
  /** The decision (or exception) key it follows; `decisionId(content, revision, 'none@0')` where there is none. */
  readonly decisionId: string;
  readonly event: OutboxKind;
};

type LockedRow = {
  content_id: string;
  content_type: LockedContent['contentType'];
  source: string;
  current_revision: string;
  status: LockedContent['status'];
  status_rank: LockedContent['rank'];
  status_action: LockedContent['action'];
  status_version: number;
  source_kind: LockedContent['sourceKind'];
  enforcement_open: boolean;
};

/**
 * Step: locks content items until the transaction ends, in bytewise order of their ids.
 * @returns those that exist, by content_id.
 */
export async function lockContent(tx: Tx, contentIds: readonly string[]): Promise<Map<string, LockedContent>> {
  if (contentIds.length === 0) return new Map();
  const { rows } = await tx.query<LockedRow>(LOCK_CONTENT, [[...new Set(contentIds)]]);
  return new Map(
    rows.map((row) => [
      row.content_id,
      {
        contentId: row.content_id,
        contentType: row.content_type,
        source: row.source,
        sourceKind: row.source_kind,
        enforcementOpen: row.enforcement_open,
        currentRevision: row.current_revision,
        status: row.status,
        rank: row.status_rank,
        action: row.status_action,
        version: row.status_version,
      },
    ]),
  );
}

/**
 * Step: which of these (content_id, revision) pairs a person has acted on, whatever the act changed. Read it under the
 * lock: a machine's result that comes after a person's act on the same revision is late and has no effect.
 * @returns the content_ids.
 */
export async function personActedOn(
  tx: Tx,
  revisions: readonly { readonly contentId: string; readonly revision: string }[],
): Promise<Set<string>> {
  if (revisions.length === 0) return new Set();
  const { rows } = await tx.query<{ content_id: string }>(PERSON_ACTED, [
    revisions.map((one) => one.contentId),
    revisions.map((one) => one.revision),
  ]);
  return new Set(rows.map((row) => row.content_id));
}

/**
 * Step, the only writer of status: for each change one rollback record with the next version, the status itself, and
 * one event, together. Every item must have been locked by `lockContent` in this transaction, at most once in the list.
 * @returns the new version by content_id.
 * @throws where a version moved under the lock, an item is removed or a policy would loosen: a bug of the caller, and
 * everything rolls back.
 */
export async function changeStatuses(tx: Tx, changes: readonly StatusChange[]): Promise<Map<string, number>> {
  if (changes.length === 0) return new Map();
  if (changes.some(loosens)) throw new Error('a policy only tightens');
  const sorted = [...changes].sort((a, b) => compareBytes(a.content.contentId, b.content.contentId));
  await tx.query(INSERT_RECORDS, recordColumns(sorted));
  const { rowCount } = await tx.query(UPDATE_STATUS, [
    sorted.map((change) => change.content.contentId),
    sorted.map((change) => change.content.version),
    sorted.map((change) => change.next.status),
    sorted.map((change) => change.next.rank),
    sorted.map((change) => change.next.action),
  ]);
  if (rowCount !== sorted.length) throw new Error('a status version moved under its lock');
  await addEvents(
    tx,
    sorted.map((change) => ({
      kind: change.event,
      contentId: change.content.contentId,
      statusVersion: change.content.version + 1,
      decisionId: change.decisionId,
      data: {
        revision: change.content.currentRevision,
        status: change.next.status,
        action: change.next.action,
        prior_status: change.content.status,
        actor: change.actor.split(':', 1)[0],
        reason: change.reason,
      },
    })),
  );
  return new Map(sorted.map((change) => [change.content.contentId, change.content.version + 1]));
}

/** What a policy does by itself, held here for whatever comes to call it: nothing is lifted without a person. */
function loosens({ actor, content, next }: StatusChange): boolean {
  return actor.startsWith('policy:') && next.status !== content.status && !policyMay(content.status, next.status);
}

function recordColumns(changes: readonly StatusChange[]): unknown[] {
  return [
    changes.map((change) => change.content.contentId),
    changes.map((change) => change.content.version + 1),
    changes.map((change) => change.content.currentRevision),
    changes.map((change) => change.content.status),
    changes.map((change) => change.content.rank),
    changes.map((change) => change.content.action),
    changes.map((change) => change.next.status),
    changes.map((change) => change.next.rank),
    changes.map((change) => change.next.action),
    changes.map((change) => change.actor),
    changes.map((change) => change.reason),
    changes.map((change) => change.answers),
    changes.map((change) => change.decisionId),
  ];
}
