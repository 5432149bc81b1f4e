import type { ReactNode } from 'react';
import type { ApprovalJson } from '../_server/case-json.ts';

export const SEEN: Readonly<Record<ApprovalJson['change']['now'], string>> = {
  shown: 'Everyone sees it.',
  not_shown: 'Nobody sees it yet.',
  hidden: 'Nobody but its author and this desk sees it.',
  limited: 'Whoever looks for it sees it; it is not recommended or listed.',
  labelled: 'Everyone sees it, with a notice above it.',
  gone: 'It was deleted at its source.',
};

/** What each answer would change for the public, side by side with how it is now. */
export function PublicChangeTable({ change }: { change: ApprovalJson['change'] }) {
  return (
    <section aria-labelledby="change">
      <h2 id="change" className="label">
        What changes for the public
      </h2>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Line name="Now">{SEEN[change.now]}</Line>
        <Line name="Approve">
          {SEEN[change.approved]}
          {!change.appliesAtOnce && ' Enforcement is switched off for this source: it waits until it is switched on.'}
        </Line>
        <Line name="Release">{SEEN[change.released]}</Line>
        <Line name="Back to review">{SEEN[change.backToReview]}</Line>
      </dl>
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
