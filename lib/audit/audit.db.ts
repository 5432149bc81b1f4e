import type { Tx } from '../db/pool.db.ts';
import { INSERT_AUDIT_EVENT } from './audit.sql.ts';

/** Who acts: a person by id, a policy version, the operator at the command line, or the system itself. */
export type Actor = `user:${string}` | `policy:${string}` | 'cli' | 'system';

export type AuditEvent = {
  readonly actor: Actor;
  /** `room.verb`, as `review.submitted`. */
  readonly kind: string;
  /** What it is about: `content:ID`, `case:ID`, `run:ID`, `policy:slug@n`; null for the installation as a whole. */
  readonly subject: string | null;
  /** Ids of our own rows, counts, enum values, hashes. Never text, notes, or names of people. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** Step: writes one audit event inside the caller's transaction, so that an act and its event stand or fall together. */
export async function writeAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.query(INSERT_AUDIT_EVENT, [event.actor, event.kind, event.subject, JSON.stringify(event.data)]);
}
