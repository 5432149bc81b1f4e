import type { Actor } from '../audit/audit.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { compareBytes } from '../kernel/text.ts';
import type { CaseEnding, CaseKind, CaseMode, Tier } from './case-state.ts';
import { CLOSE_CASES, INSERT_CASE_EVENTS, INSERT_CASES } from './cases.sql.ts';

/** Why a case is here: a machine verdict, what an allow met, a person's act, or the failure code of an exception. */
export type CaseReason = 'review' | 'restrict' | 'allow_on_held' | 'back_to_review' | 'reversal' | (string & {});

/** A case to be opened in the queue of one tier. */
export type NewCase = {
  readonly kind: CaseKind;
  readonly mode: CaseMode;
  readonly content: { readonly contentId: string; readonly source: string; readonly contentType: string };
  readonly revision: string;
  /** The key of the decision or exception, also where no decision row exists. */
  readonly decisionId: string;
  readonly policyVersion: string;
  readonly runId: string | null;
  readonly reasonCode: CaseReason;
  readonly label: string | null;
  readonly score: number | null;
  readonly openedBy: Actor;
  /** Left out: `reviewer`. */
  readonly tier?: Tier;
  /** What it names, for its first event: `{ record: 3 }`, `{ action: ID }`. Ids and numbers of our own only. */
  readonly names?: Readonly<Record<string, string | number>>;
};

export type CaseEventKind =
  | 'opened'
  | 'claimed'
  | 'released'
  | 'expired'
  | 'skipped'
  | 'deferred'
  | 'not_sure'
  | 'escalated'
  | 'submitted'
  | 'taken_back'
  | 'refused'
  | 'closed';

export type CaseEvent = {
  readonly caseId: string;
  readonly kind: CaseEventKind;
  readonly actor: Actor;
  /** Codes, ids and numbers of our own; never words of people. */
  readonly data?: Readonly<Record<string, unknown>>;
};

/** Step: writes what happened to cases; the list of a case's events is its history. */
export async function addCaseEvents(tx: Tx, events: readonly CaseEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(INSERT_CASE_EVENTS, [
    events.map((event) => event.caseId),
    events.map((event) => event.kind),
    events.map((event) => event.actor),
    events.map((event) => JSON.stringify(event.data ?? {})),
  ]);
}

/**
 * Step: opens triage cases. Where the decision has an unclosed one already, that one stands and none is added; if it only
 * recorded and the new one has effects, it has them from now on.
 * @returns the ids of the cases that were added.
 */
export async function openCases(tx: Tx, cases: readonly NewCase[]): Promise<string[]> {
  const byDecision = new Map(cases.map((one) => [one.decisionId, one]));
  // One order for everybody who opens many.
  const sorted = [...byDecision.values()].sort((a, b) => compareBytes(a.decisionId, b.decisionId));
  if (sorted.length === 0) return [];
  const { rows } = await tx.query<{ id: string; decision_id: string; added: boolean }>(
    INSERT_CASES,
    caseColumns(sorted),
  );
  await addCaseEvents(
    tx,
    rows.map((row) => {
      const one = byDecision.get(row.decision_id);
      if (!one) throw new Error('a case came back that nobody opened');
      const data = { reason: one.reasonCode, mode: one.mode, ...one.names };
      return { caseId: row.id, kind: 'opened', actor: one.openedBy, data };
    }),
  );
  return rows.filter((row) => row.added).map((row) => row.id);
}

function caseColumns(cases: readonly NewCase[]): unknown[] {
  return [
    cases.map((one) => one.kind),
    cases.map((one) => one.mode),
    cases.map((one) => one.content.contentId),
    cases.map((one) => one.content.source),
    cases.map((one) => one.content.contentType),
    cases.map((one) => one.revision),
    cases.map((one) => one.decisionId),
    cases.map((one) => one.policyVersion),
    cases.map((one) => one.runId),
    cases.map((one) => one.reasonCode),
    cases.map((one) => one.label),
    cases.map((one) => one.score),
    cases.map((one) => one.openedBy),
    cases.map((one) => one.tier ?? 'reviewer'),
  ];
}

/**
 * Step: closes open triage cases, given by their ids or by their decisions. A claimed or submitted one stays: compare
 * the ids that come back where that matters.
 * @param closedAs never `reviewed`, which only the review act writes.
 * @returns the ids of the cases that were closed.
 */
export async function closeCases(
  tx: Tx,
  which: {
    readonly caseIds?: readonly string[];
    readonly decisionIds?: readonly string[];
    readonly closedAs: Exclude<CaseEnding, 'reviewed'>;
    /** Left out: `system`. */
    readonly actor?: Actor;
  },
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(CLOSE_CASES, [
    which.caseIds ?? [],
    which.decisionIds ?? [],
    which.closedAs,
  ]);
  const ids = rows.map((row) => row.id);
  const actor = which.actor ?? 'system';
  await addCaseEvents(
    tx,
    ids.map((caseId) => ({ caseId, kind: 'closed', actor, data: { as: which.closedAs } })),
  );
  return ids;
}
