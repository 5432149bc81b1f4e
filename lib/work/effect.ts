import type { ContentStatus, Enforcement } from '../content/status.ts';
import type { RunMode } from './run-state.ts';

/** What became of a decision outside the books, kept on its work item. */
export const EFFECTS = ['not_governing', 'superseded', 'late', 'withheld', 'applied', 'none'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What the machine found for one revision: a decision, or an exception for want of one. */
export type Finding =
  | {
      readonly kind: 'decision';
      readonly verdict: 'allow' | 'review' | 'restrict';
      /** The strongest reason; null for an allow. */
      readonly label: string | null;
      readonly score: number | null;
      /** What the policy's rule proposes for a restrict. */
      readonly action: Enforcement | null;
    }
  | { readonly kind: 'exception'; readonly code: string };

/** Everything the effect depends on, read under the content item's row lock. */
export type Situation = {
  readonly mode: RunMode;
  /** Whether the run's policy version is the one that governs the source for its slug. */
  readonly governing: 'this' | 'other' | 'none';
  readonly status: ContentStatus;
  readonly isCurrentRevision: boolean;
  /** A person acted on this revision, whatever the act changed. */
  readonly personActed: boolean;
  /** The run waits for its go: what its canary decides is recorded only until then. */
  readonly withheld: boolean;
  /** The status was set on an earlier revision and only stayed. */
  readonly inherited: boolean;
  /** An unclosed triage case or an action of this very decision: it had its effect already. */
  readonly hadEffect: boolean;
  /** The unclosed case of this very decision was opened by a run in record mode, where reviews change nothing. */
  readonly recordCase: boolean;
  /** Some unclosed triage case is there for the item's current revision, and decides. */
  readonly openCase: boolean;
  /** An action is proposed, approved or applied. */
  readonly activeAction: boolean;
};

/** What to write besides the books. */
export type Outcome = {
  readonly effect: Effect;
  /** pending becomes held. */
  readonly hold: boolean;
  /** The reason code of the case to open, or null. One that was opened for the record decides from now on. */
  readonly openCase: string | null;
  readonly propose: Enforcement | null;
};

const NOTHING = { hold: false, openCase: null, propose: null } as const;

/**
 * What a finding does, by the table of effects. A decision is counted whatever happened meanwhile; this is about the
 * rest. An exception is never withheld: no policy speaks in it, and what has no answer needs a person anyhow.
 * @returns the first that holds of not_governing, superseded, late, withheld, applied, none, and what is to be written.
 */
export function effectOf(finding: Finding, situation: Situation): Outcome {
  if (!mayAct(situation)) return { ...NOTHING, effect: 'not_governing' };
  if (!situation.isCurrentRevision) return { ...NOTHING, effect: 'superseded' };
  if (situation.personActed) return { ...NOTHING, effect: 'late' };
  if (situation.status === 'removed') return { ...NOTHING, effect: 'none' };
  if (situation.withheld && finding.kind === 'decision') return { ...NOTHING, effect: 'withheld' };
  if (situation.mode !== 'record' && situation.recordCase) return raised(finding, situation);
  if (situation.hadEffect) return { ...NOTHING, effect: 'none' };
  if (situation.mode === 'record') return { ...NOTHING, effect: 'none', openCase: caseReason(finding) };
  return inHold(finding, situation);
}

/** In record mode a source that no version governs yet is how it begins; hold and enforce need to govern. */
function mayAct({ mode, governing }: Situation): boolean {
  return governing === 'this' || (mode === 'record' && governing === 'none');
}

/** A decision that was only recorded is answered in a hold run: a person is to look already, now with effect. */
function raised(finding: Finding, { status }: Situation): Outcome {
  const openCase = caseReason(finding) ?? 'allow_on_held';
  return { ...NOTHING, effect: 'applied', hold: status === 'pending', openCase };
}

/** @returns why a person should look, or null for an allow, which needs nobody by itself. */
function caseReason(finding: Finding): string | null {
  if (finding.kind === 'exception') return finding.code;
  return finding.verdict === 'allow' ? null : finding.verdict;
}

/**
 * Hold mode: nothing is published, restricted or lifted by the machine. What was pending is held; every held item has
 * an open case or a proposal, or nobody would ever look at it again.
 */
function inHold(finding: Finding, situation: Situation): Outcome {
  const hold = situation.status === 'pending';
  const openCase = caseReason(finding) ?? (needsEyes(situation) ? 'allow_on_held' : null);
  const propose = proposal(finding, situation);
  if (propose !== null) return { ...NOTHING, effect: 'applied', hold, propose };
  return { ...NOTHING, effect: openCase === null ? 'none' : 'applied', hold, openCase };
}

/** An allow may not lift held or restricted; a person decides on a new revision, and on what nobody is looking at. */
function needsEyes({ status, inherited, openCase, activeAction }: Situation): boolean {
  if (status === 'pending') return true;
  if (status === 'held') return inherited || !(openCase || activeAction);
  return status === 'restricted' && inherited;
}

/** A restrict is proposed, unless an action is active already or the status was inherited: then a person looks first. */
function proposal(finding: Finding, { status, inherited, activeAction }: Situation): Enforcement | null {
  if (finding.kind !== 'decision' || finding.verdict !== 'restrict' || activeAction) return null;
  const inheritedHold = inherited && (status === 'held' || status === 'restricted');
  return inheritedHold ? null : finding.action;
}
