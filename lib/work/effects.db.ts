import type { Actor } from '../audit/audit.db.ts';
import { changeStatuses, type StatusChange } from '../content/status.db.ts';
import type { Enforcement } from '../content/status.ts';
import type { Tx } from '../db/pool.db.ts';
import { proposeActions } from '../enforcement/actions.db.ts';
import { openCases } from '../review/cases.db.ts';
import { effectOf, type Outcome } from './effect.ts';
import type { Run } from './runs.db.ts';
import { type Found, readSituations } from './situations.db.ts';

/** A finding with what is to come of it. */
type Due = Found & { readonly outcome: Outcome };

export type EffectsReport = {
  /** What each finding came to, in the order given. */
  readonly outcomes: readonly Outcome[];
  readonly held: number;
  readonly cases: number;
  readonly proposals: number;
};

/**
 * Step: decides what findings do and writes it through the rooms it belongs to, in the order of locks: statuses, then
 * cases, then proposals.
 * @param found findings whose content the caller has locked.
 * @param governing the version that governs each source for the run's slug, read under lock in this transaction.
 */
export async function applyEffects(
  tx: Tx,
  run: Pick<Run, 'id' | 'mode' | 'policyVersion' | 'canaryOpen'>,
  governing: ReadonlyMap<string, string>,
  found: readonly Found[],
): Promise<EffectsReport> {
  const { mode, policyVersion, canaryOpen: withheld } = run;
  const situations = await readSituations(tx, found, { mode, policyVersion, withheld, governing });
  const due = found.map((one, at): Due => {
    const situation = situations[at];
    if (!situation) throw new Error('a finding without a situation');
    return { ...one, outcome: effectOf(one.finding, situation) };
  });
  const held = due.filter((one) => one.outcome.hold);
  const versions = await changeStatuses(
    tx,
    held.map((one) => holding(one, policyVersion)),
  );
  const cases = await open(tx, run, due);
  const proposals = await propose(tx, policyVersion, due, versions);
  return { outcomes: due.map((one) => one.outcome), held: held.length, cases, proposals };
}

function actorOf({ finding }: Found, policyVersion: string): Actor {
  return finding.kind === 'decision' ? `policy:${policyVersion}` : 'system';
}

function holding(due: Due, policyVersion: string): StatusChange {
  return {
    content: due.content,
    next: { status: 'held', rank: 'policy', action: null },
    actor: actorOf(due, policyVersion),
    reason: due.outcome.openCase ?? (due.finding.kind === 'decision' ? due.finding.verdict : due.finding.code),
    answers: null,
    decisionId: due.item.decisionId,
    event: 'content.held',
  };
}

async function propose(
  tx: Tx,
  policyVersion: string,
  due: readonly Due[],
  versions: ReadonlyMap<string, number>,
): Promise<number> {
  const proposing = due.flatMap((one) => {
    const action: Enforcement | null = one.outcome.propose;
    return action === null ? [] : [{ ...one, action }];
  });
  const ids = await proposeActions(
    tx,
    proposing.map(({ content, item, finding, action }) => ({
      content,
      statusVersion: versions.get(content.contentId) ?? content.version,
      decisionId: item.decisionId,
      policyVersion,
      action,
      label: finding.kind === 'decision' ? finding.label : null,
      reasonCode: null,
      proposedBy: `policy:${policyVersion}`,
    })),
  );
  return ids.length;
}

async function open(tx: Tx, run: Pick<Run, 'id' | 'mode' | 'policyVersion'>, due: readonly Due[]): Promise<number> {
  const opening = due.flatMap((one) => {
    const reasonCode = one.outcome.openCase;
    return reasonCode === null ? [] : [{ ...one, reasonCode }];
  });
  const ids = await openCases(
    tx,
    opening.map(({ content, item, finding, reasonCode, ...one }) => ({
      kind: finding.kind,
      mode: run.mode,
      content,
      revision: item.revision,
      decisionId: item.decisionId,
      policyVersion: run.policyVersion,
      runId: run.id,
      reasonCode,
      label: finding.kind === 'decision' ? finding.label : null,
      score: finding.kind === 'decision' ? finding.score : null,
      openedBy: actorOf({ content, item, finding, ...one }, run.policyVersion),
    })),
  );
  return ids.length;
}
