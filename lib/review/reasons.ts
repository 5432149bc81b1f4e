/**
 * Reasons that do not come from a policy: why a case goes up, why a proposal is rejected, why a record is reversed. What
 * applies to content is named by the reasons of its policy version; `other` stands in where there is no policy.
 */

export type Reason = { readonly code: string; readonly text: string };

export const ESCALATION_REASONS = [
  { code: 'unclear_policy', text: 'The policy does not say clearly what applies' },
  { code: 'serious_harm', text: 'Someone may be in danger' },
  { code: 'legal', text: 'A legal question' },
  { code: 'language', text: 'I do not read this language well enough' },
  { code: 'conflict_of_interest', text: 'I know the people involved' },
  { code: 'other', text: 'Something else, see the note' },
] as const satisfies readonly Reason[];

export const REJECTION_REASONS = [
  { code: 'not_a_violation', text: 'The text does not violate the policy' },
  { code: 'too_strong', text: 'The proposed action is too strong' },
  { code: 'wrong_label', text: 'Another label applies' },
  { code: 'context_missing', text: 'It needs to be read in its context' },
  { code: 'other', text: 'Something else, see the note' },
] as const satisfies readonly Reason[];

export const REVERSAL_REASONS = [
  { code: 'mistake', text: 'The decision was a mistake' },
  { code: 'new_information', text: 'Something came to light that was not known' },
  { code: 'appeal', text: 'The author objected, and is right' },
  { code: 'policy_misapplied', text: 'The policy was misapplied' },
  { code: 'other', text: 'Something else, see the note' },
] as const satisfies readonly Reason[];

/** The reasons of a review where the content has no policy version. */
export const NO_POLICY_REASONS = [
  { code: 'other', text: 'Something else, see the note' },
] as const satisfies readonly Reason[];

/** @returns true where the list has the code. */
export function knowsReason(reasons: readonly Reason[], code: string): boolean {
  return reasons.some((reason) => reason.code === code);
}
