import type { Enforcement } from '../content/status.ts';
import { compareBytes } from '../kernel/text.ts';
import type { PolicyDocument } from '../policy/document.ts';
import { labelsOf, scoresRules } from '../policy/schema.ts';
import { knowsReason, NO_POLICY_REASONS, type Reason } from './reasons.ts';

/** What a policy version lets a reviewer name, and what a restriction under it comes to. */
export type Rulebook = {
  readonly labels: readonly string[];
  readonly reasons: readonly Reason[];
  /** The action a rule names for its label. */
  readonly actions: ReadonlyMap<string, Enforcement>;
};

/** What a restriction comes to where no rule says it: the strongest, as a moderator looks at it anyway. */
export const DEFAULT_ACTION: Enforcement = 'hide';
const STRENGTH: readonly Enforcement[] = ['label', 'limit', 'hide'];

/** @param document null where the content has no policy version. */
export function rulebook(document: PolicyDocument | null): Rulebook {
  if (!document) return { labels: [], reasons: NO_POLICY_REASONS, actions: new Map() };
  return {
    labels: labelsOf(document).map((label) => label.name),
    reasons: document.reasons,
    actions: new Map(scoresRules(document).map((rule) => [rule.label, rule.action])),
  };
}

/** What a person proposes: the strongest action among the labels they named, and the label it comes from. */
export type NamedAction = { readonly action: Enforcement; readonly label: string | null };

/**
 * @param named the labels of the review; where it names none, the label the case is about counts.
 * @param caseLabel the label that brought the case here, if one did.
 */
export function namedAction(book: Rulebook, named: readonly string[], caseLabel: string | null): NamedAction {
  const labels = named.length > 0 ? named : caseLabel === null ? [] : [caseLabel];
  let strongest: NamedAction | null = null;
  for (const label of labels) {
    const action = book.actions.get(label);
    if (!action) continue;
    if (!strongest || STRENGTH.indexOf(action) > STRENGTH.indexOf(strongest.action)) strongest = { action, label };
  }
  return strongest ?? { action: DEFAULT_ACTION, label: labels[0] ?? null };
}

/** What a person says of a case, before it is checked. */
export type Said = {
  readonly verdict: 'allow' | 'restrict';
  readonly labels: readonly string[];
  readonly reasonCode: string | null;
};

/** @returns why the policy does not let a person say this, or null: a restriction needs a reason, and names must be known. */
export function faultOf(book: Rulebook, said: Said): 'reason_required' | 'unknown_reason' | 'unknown_label' | null {
  if (said.reasonCode === null) return said.verdict === 'restrict' ? 'reason_required' : unknownLabel(book, said);
  return knowsReason(book.reasons, said.reasonCode) ? unknownLabel(book, said) : 'unknown_reason';
}

function unknownLabel(book: Rulebook, said: Said): 'unknown_label' | null {
  return said.labels.every((label) => book.labels.includes(label)) ? null : 'unknown_label';
}

/** @returns each label once, in bytewise order, so that the same words said twice are the same. */
export function sortedLabels(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort(compareBytes);
}
