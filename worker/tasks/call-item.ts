import type { Classifier, WholeResult } from '../../lib/classifier/answer.ts';
import { classifyWhole } from '../../lib/classifier/whole.ts';
import type { RevisionInput } from '../../lib/content/revisions.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import type { HeldItem } from '../../lib/work/item-end.ts';

/** An item whose attempt is recorded, with what is shown to the classifier. */
export type Started = { readonly item: HeldItem; readonly attempt: number; readonly input: RevisionInput };

/** Asks the classifier about one item. @returns its answer or failure; a bug on the way is an `internal_error`. */
export async function callItem(
  { item, input }: Started,
  job: {
    readonly classifier: Classifier;
    readonly policy: PolicyVersion;
    /** Of the installation, for the nonce. */
    readonly secret: string;
    readonly signal: AbortSignal;
    onError(thrown: unknown): void;
  },
): Promise<WholeResult> {
  const { classifier, policy, secret, signal } = job;
  try {
    return await classifyWhole(
      classifier,
      {
        decisionId: item.decisionId,
        contentId: item.contentId,
        revision: item.revision,
        policyVersion: policy.policyVersion,
        callGroup: item.callGroup,
        document: policy.document,
        input: {
          text: input.text,
          ...(input.title !== null && { title: input.title }),
          ...(input.authorName !== null && { author_name: input.authorName }),
          ...(input.parentText !== null && { parent_text: input.parentText }),
        },
      },
      { secret, signal },
    );
  } catch (thrown) {
    job.onError(thrown);
    return { outcome: 'internal_error', latencyMs: 0 };
  }
}
