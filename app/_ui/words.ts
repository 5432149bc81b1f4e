import type { Mark } from './verdict.tsx';

/** Codes in plain words. A code without words here is shown as it is, never hidden. */

/** How a classifier's call ended, as a sentence about it, and whether trying again may help. */
const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'The classifier did not answer in time, however often it was asked.',
  transport_error: 'The connection to the classifier broke, however often it was tried.',
  outcome_unknown: 'The connection broke after the text was sent, and no answer could be had.',
  overloaded: 'The classifier was overloaded for too long.',
  rate_limited: 'The classifier turned us away for too long: too many requests.',
  bad_upstream: 'Something other than the classifier answered, such as an error page.',
  lease_expired: 'The worker stopped in the middle of this item more than once.',
  invalid_json: 'The classifier answered with something that is not JSON.',
  duplicate_key: 'The classifier answered one question twice and contradicted itself.',
  schema_mismatch: 'The classifier answered in a form that was not asked for.',
  unknown_label: 'The classifier named a label that this policy does not have.',
  item_mismatch: 'The classifier answered about something else.',
  missing_result: 'The classifier left out an answer the policy needs.',
  truncated_output: 'The answer was cut off before its end.',
  incomplete_stream: 'The answer broke off while it was coming in.',
  empty_output: 'The classifier answered with nothing.',
  evidence_out_of_bounds: 'The passage it pointed to does not occur in the text.',
  internal_error: 'Reading the answer failed on our side.',
  no_text: 'There is no text to classify; the classifier was not asked.',
  refused: 'The classifier refused to look at this text.',
  provider_filtered: 'The provider of the classifier filtered the answer out.',
  provider_filtered_input: 'The provider of the classifier would not take this text.',
  content_too_large: 'The text is longer than the classifier can take.',
  conflicting_identity: 'A decision under the same key exists for another text.',
  withdrawn: 'The content was deleted before it was classified.',
  decided_by_person: 'A person decided before the classifier did.',
  thread_closed: 'The thread was closed before this was classified.',
  cancelled: 'The run was cancelled before this was classified.',
};

/** @returns what went wrong, as a sentence. */
export function failureSentence(code: string): string {
  return FAILURES[code] ?? `It ended with the code ${code}.`;
}

/** @returns a score as it is shown everywhere: two figures after the point, cut so that 0.849 never reads as 0.85. */
export function scoreText(score: number): string {
  return (Math.floor(score * 100 + 1e-9) / 100).toFixed(2);
}

/** @returns a threshold as its policy has it, with two figures after the point at least. */
export function thresholdText(threshold: number): string {
  const short = threshold.toFixed(2);
  return Number(short) === threshold ? short : String(threshold);
}

export type WhyFacts = {
  readonly kind: 'decision' | 'exception';
  readonly reasonCode: string;
  readonly label: string | null;
  readonly score: number | null;
  /** How the strongest reason led here, where that is known. */
  readonly rule?: string | null;
};

/** @returns one reason of a decision in a few words: the label with its figure, or what else led away from allow. */
export function reasonShort({ label, score, rule }: Pick<WhyFacts, 'score' | 'rule'> & { label: string }): string {
  switch (rule) {
    case 'tag':
      return label;
    case 'word':
      return label === 'SPAM' ? 'spam, in one word' : 'unsure, in one word';
    case 'segments_differ':
      return `parts of it are ${label}`;
    case 'instruction':
      return 'tries to instruct the classifier';
    default:
      return score === null ? `${label}, not evaluated` : `${label} ${scoreText(score)}`;
  }
}

/** @returns why a case is in a queue, in a few words: for lists. */
export function whyShort({ kind, reasonCode, label, score, rule }: WhyFacts): { mark: Mark; words: string } {
  if (kind === 'exception') return { mark: 'failed', words: reasonCode.replaceAll('_', ' ') };
  const by = label === null ? '' : reasonShort({ label, score, rule: rule ?? null });
  if (reasonCode === 'restrict') return { mark: 'restrict', words: by };
  if (reasonCode === 'allow_on_held') return { mark: 'pending', words: 'allowed by the policy, held before' };
  if (reasonCode === 'back_to_review') return { mark: 'review', words: 'sent back by a moderator' };
  if (reasonCode === 'cancelled') return { mark: 'pending', words: 'its run was cancelled' };
  if (reasonCode === 'reversal') return { mark: 'review', words: 'after a reversal' };
  return { mark: 'review', words: by };
}

const STATUSES: Readonly<Record<string, { mark: Mark; words: string }>> = {
  pending: { mark: 'pending', words: 'not public yet' },
  published: { mark: 'allow', words: 'public' },
  held: { mark: 'review', words: 'held back' },
  restricted: { mark: 'restrict', words: 'restricted' },
  removed: { mark: 'pending', words: 'deleted at its source' },
};

/** @returns a content status as people say it. */
export function statusWords(status: string, action: string | null = null): { mark: Mark; words: string } {
  const found = STATUSES[status] ?? { mark: 'pending' as const, words: status };
  return action ? { ...found, words: `restricted: ${actionWords(action)}` } : found;
}

const ACTIONS: Readonly<Record<string, string>> = { hide: 'hidden', limit: 'limited reach', label: 'labelled' };

/** @returns what an action makes of content. */
export function actionWords(action: string): string {
  return ACTIONS[action] ?? action;
}

/** @returns who acted, for reading: a person by name, a policy, the command line, or the system. */
export function actorWords(actor: string, name: string | null): string {
  if (name) return name;
  if (actor.startsWith('policy:')) return `the policy ${actor.slice('policy:'.length)}`;
  if (actor === 'cli') return 'the operator';
  return actor === 'system' ? 'the system' : 'someone who has left';
}
