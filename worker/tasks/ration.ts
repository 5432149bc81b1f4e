import type { RevisionInput } from '../../lib/content/revisions.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import type { ItemResult } from '../../lib/work/item-end.ts';
import { type Measured, measure, reservation } from '../../lib/work/reserve.ts';

/** What is set aside for an attempt of one run: it follows what answers have measured so far. */
export type Ration = {
  units(input: RevisionInput): number;
  learn(results: readonly ItemResult[]): void;
};

/** @param before what answers of this run measured before. */
export function ration(policy: Pick<PolicyVersion, 'adapter' | 'document'>, before: Measured): Ration {
  let measured = before;
  // The built-in classifier is sent no instructions; a small ceiling must not be eaten up by bytes that never leave.
  const policyBytes = policy.adapter === 'builtin' ? 0 : Buffer.byteLength(JSON.stringify(policy.document));
  return {
    units: ({ text, title, authorName, parentText }) =>
      reservation({ text, title, author_name: authorName, parent_text: parentText }, measured, policyBytes),
    learn: (results) => {
      measured = measure(measured, results);
    },
  };
}
