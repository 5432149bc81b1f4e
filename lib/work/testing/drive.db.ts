import type { Classifier } from '../../classifier/answer.ts';
import { classifyWhole } from '../../classifier/whole.ts';
import { readInputs } from '../../content/revisions.db.ts';
import type { Pool } from '../../db/pool.db.ts';
import type { PolicyVersion } from '../../policy/versions.db.ts';
import { startAttempts } from '../attempts.db.ts';
import { endOfCall } from '../call-end.ts';
import { commitFlush } from '../commit.db.ts';
import type { HeldItem, ItemResult } from '../item-end.ts';
import { leaseBatch } from '../lease.db.ts';
import type { FlushReport } from '../settle.db.ts';

export const WORKER_A = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
export const WORKER_B = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';

type Job = { readonly runId: string; readonly policy: PolicyVersion; readonly classifier: Classifier };

/** Calls the classifier for leased items whose attempts are recorded. @returns their results, not yet committed. */
export async function callAll(
  pool: Pool,
  { policy, classifier }: Job,
  items: readonly HeldItem[],
  attempts: ReadonlyMap<number, number>,
): Promise<ItemResult[]> {
  const inputs = await readInputs(pool, items);
  const results: ItemResult[] = [];
  for (const item of items) {
    const attempt = attempts.get(item.id);
    const input = inputs.find((one) => one.contentId === item.contentId && one.revision === item.revision);
    if (attempt === undefined || !input) continue;
    const result = await classifyWhole(
      classifier,
      {
        decisionId: item.decisionId,
        contentId: item.contentId,
        revision: item.revision,
        policyVersion: policy.policyVersion,
        callGroup: item.callGroup,
        document: policy.document,
        input: { text: input.text },
      },
      { secret: 'secret', signal: new AbortController().signal },
    );
    const end = endOfCall(result, { ...policy, ...input, classifier: classifier.name }, false);
    results.push({ id: item.id, token: item.token, attempt, end });
  }
  return results;
}

/** One round of a worker without its loop: lease, record attempts, call, commit. @returns null where nothing is due. */
export async function round(pool: Pool, job: Job, limit = 200): Promise<FlushReport | null> {
  const items = await leaseBatch(pool, { runId: job.runId, workerId: WORKER_A, limit });
  if (items.length === 0) return null;
  const { attempts } = await startAttempts(pool, { runId: job.runId, items });
  const results = await callAll(pool, job, items, attempts);
  return commitFlush(pool, { runId: job.runId, policy: job.policy, slot: 1, results });
}
