import { sha256Hex } from './hash.ts';

/** The policy version of an act on content that has neither decision nor exception. */
export const NO_POLICY = 'none@0';

/**
 * The key of one decision: the same content, revision and policy version always give the same id, on any machine.
 * @param policyVersion written `slug@n`.
 * @returns SHA-256 hex over `content_id \0 revision \0 policy_version` as UTF-8.
 */
export function decisionId(contentId: string, revision: string, policyVersion: string): string {
  return sha256Hex(`${contentId}\0${revision}\0${policyVersion}`);
}

/** @returns the id of the event that tells status version `statusVersion` of what `id` decided: `decision_id:status_version`. */
export function eventId(id: string, statusVersion: number): string {
  return `${id}:${statusVersion}`;
}

/** @returns slug and number of `slug@n`, or null where the text is not of that form. */
export function parsePolicyVersion(text: string): { slug: string; n: number } | null {
  const match = /^([a-z0-9-]{1,64})@([1-9][0-9]{0,8})$/.exec(text);
  return match?.[1] && match[2] ? { slug: match[1], n: Number(match[2]) } : null;
}
