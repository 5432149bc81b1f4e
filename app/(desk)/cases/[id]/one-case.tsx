'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { Answer } from '@/app/_review/answer.tsx';
import { DeferDialog, EscalateDialog } from '@/app/_review/aside-dialogs.tsx';
import { ClaimBar, isOver } from '@/app/_review/claim-bar.tsx';
import { DecideFields, Verdicts } from '@/app/_review/decide-panel.tsx';
import { DecideSheet } from '@/app/_review/decide-sheet.tsx';
import { LabelKeys } from '@/app/_review/label-field.tsx';
import { PolicyPanel } from '@/app/_review/policy-panel.tsx';
import { Earlier, Facts, Provenance } from '@/app/_review/provenance.tsx';
import type { Sent } from '@/app/_review/sent.tsx';
import { StoredText } from '@/app/_review/stored-text.tsx';
import { useClaim } from '@/app/_review/use-claim.ts';
import { type Deciding, useDecide } from '@/app/_review/use-decide.ts';
import { useForm } from '@/app/_review/use-form.ts';
import { Why } from '@/app/_review/why.tsx';
import type { CaseJson } from '@/app/_server/case-json.ts';
import { contentPath } from '@/app/_ui/content-address.ts';
import { useShortcut } from '@/app/_ui/keyboard.tsx';
import { Notice } from '@/app/_ui/states.tsx';

type OneCaseProps = {
  found: CaseJson;
  /** True where the desk moved here by itself: the case is claimed at once and its heading takes the focus. */
  arrived: boolean;
  onHeld: () => void;
  onLeft: (sent: Sent | null) => void;
};

/** One case: what happened on the left, what to do on the right. */
export function OneCase({ found, arrived, onHeld, onLeft }: OneCaseProps) {
  const { view } = found;
  const claim = useClaim(found.case.caseId, arrived);
  const form = useForm(found.case.caseId, found.draft);
  const deciding = useDecide({ found, form, claim, onLeft });
  const [shown, setShown] = useState(found.case.label ?? view.decision?.because[0]?.label ?? null);
  const ids = { why: useId(), policy: useId() };
  const held = claim.hold.state === 'held';
  const heldNow = useRef(onHeld);
  heldNow.current = onHeld;

  useEffect(() => {
    if (held) heldNow.current();
  }, [held]);
  useEffect(() => {
    if (arrived) document.getElementById(ids.why)?.focus({ preventScroll: true });
  }, [arrived, ids.why]);

  return (
    <div className="grid gap-x-10 gap-y-4 max-md:pb-24 md:grid-cols-[minmax(0,1fr)_minmax(340px,36%)]">
      <div className="flex min-w-0 flex-col gap-5">
        <Why found={found} headingId={ids.why} />
        {view.newerRevision && <Newer found={found} />}
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
        <Provenance view={view} decisionId={found.case.decisionId} />
      </div>
      <aside
        aria-label="Decide"
        className="flex min-w-0 flex-col gap-4 md:sticky md:top-15 md:max-h-[calc(100dvh-76px)] md:self-start md:overflow-y-auto md:border-l md:border-line md:px-1 md:pl-6"
      >
        <ClaimBar found={found} claim={claim} note={form.note} onNext={() => void deciding.goOn()} />
        {deciding.problem && deciding.asking === null && (
          <Notice kind="problem" title={deciding.problem.title}>
            {deciding.problem.detail}
          </Notice>
        )}
        {held && !isOver(found) && (
          <>
            <div className="flex flex-col gap-4 max-md:hidden">
              <Verdicts deciding={deciding} keys />
              <DecideFields found={found} form={form} deciding={deciding} onShow={setShown} />
            </div>
            <DecideSheet found={found} form={form} deciding={deciding} onShow={setShown} />
            <DecideKeys deciding={deciding} />
            <LabelKeys policy={view.policy} toggle={form.toggleLabel} onShow={setShown} />
            <EscalateDialog deciding={deciding} form={form} />
            <DeferDialog deciding={deciding} />
          </>
        )}
        <div className="border-t border-line pt-4">
          <PolicyPanel policy={view.policy} shown={shown} id={ids.policy} />
        </div>
      </aside>
      <PageKeys contentId={view.item.contentId} policyId={ids.policy} />
    </div>
  );
}

function DecideKeys({ deciding }: { deciding: Deciding }) {
  useShortcut('a', 'Allow', deciding.allow);
  useShortcut('r', 'Restrict, with a reason', () => deciding.restrict());
  useShortcut('e', 'Escalate to the moderators', () => deciding.setAsking('escalate'));
  useShortcut('s', 'Skip: leave it to others', deciding.skip);
  useShortcut('d', 'Defer: put it off for a while', () => deciding.setAsking('defer'));
  return null;
}

function PageKeys({ contentId, policyId }: { contentId: string; policyId: string }) {
  const router = useRouter();
  useShortcut('t', 'Timeline of this content', () => router.push(contentPath(contentId)));
  useShortcut('p', 'Go to the policy text', () => {
    const heading = document.getElementById(policyId);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  });
  return null;
}

function Newer({ found }: { found: CaseJson }) {
  const newer = found.view.newerRevision;
  if (!newer) return null;
  return (
    <Notice title={`A newer revision has arrived: ${newer.revision}`}>
      This one is no longer what people see and cannot be decided any more; the newer one is judged by itself.{' '}
      <Link className="link" href={contentPath(found.view.item.contentId)}>
        See the timeline
      </Link>
    </Notice>
  );
}
