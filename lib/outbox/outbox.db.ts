import type { Tx } from '../db/pool.db.ts';
import { eventId } from '../kernel/keys.ts';
import { INSERT_EVENTS } from './outbox.sql.ts';

export type OutboxKind =
  | 'content.reviewed'
  | 'content.published'
  | 'content.held'
  | 'content.restricted'
  | 'content.restored'
  | 'content.removed'
  | 'content.tagged';

export type OutboxEvent = {
  readonly kind: OutboxKind;
  readonly contentId: string;
  readonly statusVersion: number;
  readonly decisionId: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Step: writes events for whoever listens downstream. The id `decision_id:status_version` makes each at most once. */
export async function addEvents(tx: Tx, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(INSERT_EVENTS, [
    events.map((event) => eventId(event.decisionId, event.statusVersion)),
    events.map((event) => event.kind),
    events.map((event) => event.contentId),
    events.map((event) => event.statusVersion),
    events.map((event) => event.decisionId),
    events.map((event) => JSON.stringify(event.data)),
  ]);
}
