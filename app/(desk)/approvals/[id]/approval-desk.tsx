'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Answer } from '@/app/_review/answer.tsx';
import { PolicyPanel } from '@/app/_review/policy-panel.tsx';
import { Earlier, Facts, Provenance } from '@/app/_review/provenance.tsx';
import { PublicChangeTable, SEEN } from '@/app/_review/public-change.tsx';
import { StoredText } from '@/app/_review/stored-text.tsx';
import type { ApprovalJson } from '@/app/_server/case-json.ts';
import { contentPath } from '@/app/_ui/content-address.ts';
import { read } from '@/app/_ui/desk-api.ts';
import { useShortcut } from '@/app/_ui/keyboard.tsx';
import { Age } from '@/app/_ui/now.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { StrangerText } from '@/app/_ui/stranger-text.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { actorWords } from '@/app/_ui/words.ts';
import { ApprovalDecide } from './approval-decide.tsx';

const REFRESH_MS = 10_000;

/** One proposed restriction: who asks for what and why on the left, what would change and the answer on the right. */
export function ApprovalDesk({ id, initial }: { id: string; initial: ApprovalJson }) {
  const { data: found } = useQuery({
    queryKey: ['approval', id],
    queryFn: () => read<ApprovalJson>(`/api/desk/approvals/${id}`),
    initialData: initial,
    refetchInterval: REFRESH_MS,
  });
  const { approval, view } = found;
  const [shown, setShown] = useState(approval.label);
  const router = useRouter();
  useShortcut('t', 'Timeline of this content', () => router.push(contentPath(approval.contentId)));
  return (
    <div className="grid gap-x-10 gap-y-4 max-md:pb-24 md:grid-cols-[minmax(0,1fr)_minmax(340px,36%)]">
      <div className="flex min-w-0 flex-col gap-5">
        <Proposal found={found} />
        {view.newerRevision && (
          <Notice title={`A newer revision has arrived: ${view.newerRevision.revision}`}>
            This proposal is about a revision that is no longer shown, and is withdrawn by itself.
          </Notice>
        )}
        <StoredText revision={view.revision} />
        <Facts view={view} />
        {view.decision && (
          <Answer
            decision={view.decision}
            rules={view.policy.rules}
            text={view.revision.text}
            shown={shown}
            onShow={setShown}
          />
        )}
        <Earlier view={view} />
        <Provenance view={view} decisionId={approval.decisionId} />
      </div>
      <aside
        aria-label="Decide"
        className="flex min-w-0 flex-col gap-4 md:sticky md:top-15 md:max-h-[calc(100dvh-76px)] md:self-start md:overflow-y-auto md:border-l md:border-line md:px-1 md:pl-6"
      >
        <PublicChangeTable change={found.change} />
        <ApprovalDecide found={found} />
        <div className="border-t border-line pt-4">
          <PolicyPanel policy={view.policy} shown={shown} id="policy" />
        </div>
      </aside>
    </div>
  );
}

/** Who proposed what, and why. */
function Proposal({ found: { approval, view, me, change } }: { found: ApprovalJson }) {
  const own = approval.proposedBy === `user:${me.id}`;
  const review = view.reviews.find((one) => `user:${one.userId}` === approval.proposedBy && one.verdict === 'restrict');
  const reason = view.policy.reasons.find((one) => one.code === approval.reasonCode);
  return (
    <section className="flex flex-col gap-1 border-b border-line pb-3">
      <p className="label">What is proposed</p>
      <h1 className="flex flex-wrap items-baseline gap-x-2 text-title">
        <Verdict mark="restrict" word={approval.action} />
        <span>{approval.label}</span>
      </h1>
      <p className="max-w-[80ch]">
        {own ? 'You' : capital(actorWords(approval.proposedBy, approval.proposerName))} proposed it{' '}
        <Age at={approval.proposedAt} suffix=" ago" />
        {reason
          ? `: ${reason.text}`
          : approval.proposedBy.startsWith('policy:')
            ? ': the score reached its threshold'
            : ''}
        .
      </p>
      {/* On a small screen the table of what changes comes after the text, and the buttons are always there. */}
      <p className="md:hidden">
        Now: {SEEN[change.now]} Approved: {SEEN[change.approved]}
      </p>
      {review?.note && (
        <div className="max-w-[80ch] border-l-2 border-line pl-3 text-muted">
          <StrangerText text={review.note} />
        </div>
      )}
    </section>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
