import type { z } from 'zod';
import type {
  ActionRow,
  arrivalEntry,
  caseEntry,
  decisionEntry,
  exceptionEntry,
  recordEntry,
  reviewEntry,
} from './timeline-rows.ts';

/** The history of one content item in one order. */

/** One step of an enforcement action: its row tells several. */
export type ActionEntry = {
  readonly kind: 'action';
  readonly at: Date;
  readonly actionId: string;
  readonly step: 'proposed' | 'approved' | 'applied' | 'rejected' | 'reversed' | 'withdrawn';
  readonly action: ActionRow['action'];
  readonly revision: string;
  readonly policyVersion: string;
  readonly label: string | null;
  readonly reasonCode: string | null;
  /** Who took this step; null where the system or another entry's actor did. */
  readonly actor: string | null;
  readonly actorName: string | null;
  /** The status version whose record belongs to this step, if one does. */
  readonly statusVersion: number | null;
  /** How it ended, for a last step: `released`, `back_to_review`, `superseded`, `newer_record`, `reviewed` and so on. */
  readonly closedAs: string | null;
  readonly note: string | null;
};

export type TimelineEntry =
  | Readonly<z.infer<typeof arrivalEntry>>
  | Readonly<z.infer<typeof decisionEntry>>
  | Readonly<z.infer<typeof exceptionEntry>>
  | Readonly<z.infer<typeof caseEntry>>
  | Readonly<z.infer<typeof reviewEntry>>
  | Readonly<z.infer<typeof recordEntry>>
  | ActionEntry;

/** Within one millisecond: causes before what they caused. */
const ORDER: Readonly<Record<TimelineEntry['kind'], number>> = {
  arrival: 0,
  decision: 1,
  exception: 1,
  review: 2,
  action: 3,
  record: 4,
  case: 5,
};

/** @returns all entries, oldest first; those of one instant in the order of cause and effect, then as they came. */
export function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return [...entries].sort((a, b) => a.at.getTime() - b.at.getTime() || ORDER[a.kind] - ORDER[b.kind]);
}

/** @returns the steps an action has taken, in their order. */
export function stepsOf(row: ActionRow): ActionEntry[] {
  const base = {
    kind: 'action' as const,
    actionId: row.id,
    action: row.action,
    revision: row.revision,
    policyVersion: row.policy_version,
    label: row.label,
    reasonCode: row.reason_code,
    actor: null,
    actorName: null,
    statusVersion: null,
    closedAs: null,
    note: null,
  };
  const decider = { actor: row.decided_by, actorName: row.decider_name };
  const steps: ActionEntry[] = [
    {
      ...base,
      step: 'proposed',
      at: row.proposed_at,
      actor: row.proposed_by,
      actorName: row.proposer_name,
      statusVersion: row.status_version,
    },
  ];
  if (row.decided_at && row.state !== 'rejected') {
    steps.push({ ...base, step: 'approved', at: row.decided_at, ...decider });
  }
  if (row.applied_at) {
    steps.push({ ...base, step: 'applied', at: row.applied_at, statusVersion: row.applied_version });
  }
  if (row.closed_at && (row.state === 'rejected' || row.state === 'reversed' || row.state === 'withdrawn')) {
    const by = row.state === 'rejected' ? decider : {};
    steps.push({ ...base, step: row.state, at: row.closed_at, ...by, closedAs: row.closed_as, note: row.note });
  }
  return steps;
}
