import type { Role } from '../access/roles.ts';
import type { LockedContent } from '../content/status.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { type ActiveAction, activeActions } from '../enforcement/actions.db.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { CaseRow } from './case-row.db.ts';
import { type Judgement, type JudgeRefusal, judgeReview, type ReviewVerdict, standingRank } from './judge.ts';

export type Weighed = { readonly judgement: Judgement; readonly standing: ActiveAction | null };

/** Step: judges a review against the content item under its lock and the action that stands on it. */
export async function weigh(
  tx: Tx,
  { found, content, role, verdict }: { found: CaseRow; content: LockedContent; role: Role; verdict: ReviewVerdict },
): Promise<Result<Weighed, JudgeRefusal>> {
  const standing = (await activeActions(tx, [content.contentId])).get(content.contentId) ?? null;
  const judged = judgeReview({
    mode: found.mode,
    tier: found.tier,
    caseRevision: found.revision,
    content,
    standing: standing && {
      state: standing.state,
      rank: standingRank(standing.state, standing.proposerRole),
    },
    role,
    verdict,
  });
  return judged.ok ? ok({ judgement: judged.value, standing }) : judged;
}
