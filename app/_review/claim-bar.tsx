'use client';

import { useEffect, useState } from 'react';
import type { CaseJson } from '../_server/case-json.ts';
import { clockText } from '../_ui/age.ts';
import { Button } from '../_ui/button.tsx';
import type { Problem } from '../_ui/desk-api.ts';
import { useShortcut } from '../_ui/keyboard.tsx';
import { Age } from '../_ui/now.tsx';
import { Notice } from '../_ui/states.tsx';
import { Verdict } from '../_ui/verdict.tsx';
import type { useClaim } from './use-claim.ts';

type Claiming = ReturnType<typeof useClaim>;
/** note: what the person has written here. onNext: leads on to another case. */
type ClaimBarProps = { found: CaseJson; claim: Claiming; note: string; onNext: () => void };

const TICK_MS = 1000;
const SOON_MS = 60_000;

/** Whose case this is: mine and for how long, someone's, nobody's, or decided. */
export function ClaimBar({ found, claim, note, onNext }: ClaimBarProps) {
  const { hold } = claim;
  const [problem, setProblem] = useState<Problem | null>(null);
  const take = async () => setProblem(await claim.claim());
  const over = isOver(found);
  if (hold.state === 'held' && !over) return <Held expiresAt={hold.expiresAt} />;
  if (hold.state === 'unknown') return <div className="h-5" />;
  if (hold.state === 'claiming') return <p className="text-muted">Taking the case…</p>;
  return (
    <div className="flex flex-col gap-3">
      {hold.state === 'lost' && (
        <Notice kind="problem" title={hold.problem.title}>
          {hold.problem.detail}
        </Notice>
      )}
      {problem && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
      {over ? <Outcome found={found} /> : <Free found={found} take={() => void take()} />}
      {(over || found.case.claim !== null) && <Next hint={over} onNext={onNext} />}
      {note !== '' && (
        <div className="border-l-2 border-line pl-3">
          <p className="label">Your note, kept as a draft</p>
          <p className="stranger">{note}</p>
        </div>
      )}
    </div>
  );
}

function Held({ expiresAt }: { expiresAt: number }) {
  const [left, setLeft] = useState(() => expiresAt - Date.now());
  useEffect(() => {
    setLeft(expiresAt - Date.now());
    const timer = setInterval(() => setLeft(expiresAt - Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [expiresAt]);
  return (
    <p className="flex items-baseline justify-between text-muted">
      <span>
        Yours for <span className="font-medium text-text tabular-nums">{clockText(left)}</span>
      </span>
      {left < SOON_MS && <span role="status">Move or press anything to keep it.</span>}
    </p>
  );
}

/** The way on, with Enter where nothing else is to be done here. */
function Next({ hint, onNext }: { hint: boolean; onNext: () => void }) {
  useShortcut(hint ? 'Enter' : null, 'Go on to the next case', onNext);
  return (
    <Button hint={hint ? 'Enter' : undefined} onClick={onNext} className="self-start">
      Next case
    </Button>
  );
}

function Free({ found, take }: { found: CaseJson; take: () => void }) {
  const { claim } = found.case;
  const mine = claim?.userId === found.me.id;
  const others = claim !== null && !mine;
  useShortcut(others ? null : 'Enter', 'Claim this case', take);
  if (others) {
    return (
      <Notice title={claim.prefetched ? 'Someone has taken this case' : `${claim.userName} is reading this case`}>
        It comes back to the queue if they leave it. This page follows by itself.
      </Notice>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">
        {mine ? 'You hold this case in another tab, or before a reload.' : 'Nobody is reading this case.'}
      </p>
      <Button kind="primary" hint="Enter" onClick={take} className="self-start">
        {mine ? 'Go on here' : 'Claim and review'}
      </Button>
    </div>
  );
}

/** @returns true where nobody can decide on this case any more. */
export function isOver({ case: facts, view }: CaseJson): boolean {
  return (
    facts.state === 'closed' ||
    facts.state === 'submitted' ||
    view.newerRevision !== null ||
    view.item.status === 'removed'
  );
}

const CLOSED_AS: Readonly<Record<string, string>> = {
  superseded: 'Closed: a newer revision arrived, which is judged by itself.',
  withdrawn: 'Closed: the content was deleted at its source.',
  requeued: 'Closed: it was sent through the classifier again.',
  reviewed: 'Decided.',
};

function Outcome({ found }: { found: CaseJson }) {
  const { case: facts, submission, view } = found;
  const review = view.reviews.find((one) => one.caseId === facts.caseId);
  if (submission) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Verdict mark={submission.verdict} />
        {submission.userId === found.me.id ? 'sent by you, on its way.' : `sent by ${submission.userName}, on its way.`}
      </p>
    );
  }
  if (review) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Verdict mark={review.verdict} />
        {review.userName} decided this <Age at={review.at} suffix=" ago" />
      </p>
    );
  }
  if (view.item.status === 'removed')
    return <p>The content was deleted at its source. There is nothing left to decide.</p>;
  return <p className="text-muted">{CLOSED_AS[facts.closedAs ?? ''] ?? 'This case cannot be decided.'}</p>;
}
