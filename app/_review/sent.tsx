'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { keepToken } from '../_ui/claims-store.ts';
import { act, read } from '../_ui/desk-api.ts';
import { useShortcut } from '../_ui/keyboard.tsx';
import { Notice } from '../_ui/states.tsx';
import { Verdict } from '../_ui/verdict.tsx';

/** A decision on its way: stored, acknowledged, and to be taken back until it counts. */
export type Sent = {
  readonly submissionId: string;
  readonly caseId: string;
  readonly verdict: 'allow' | 'restrict';
  /** By this page's clock, from what the server said was left. */
  readonly countsAt: number;
};

type Outcome = { readonly outcome: string; readonly problem?: { readonly title: string; readonly detail: string } };
export type TakenBack = { readonly caseId: string; readonly token: string };

type SentDesk = {
  readonly add: (sent: Sent) => void;
  /** The case page puts its own way of showing a case here; null sends to the case's address. */
  readonly onTakenBack: { current: ((back: TakenBack) => void) | null };
};

const SentContext = createContext<SentDesk | null>(null);
const TICK_MS = 200;
/** Asked for a little after the moment, so that the server's clock has passed it as well. */
const SETTLE_LAG_MS = 250;

/** Keeps decisions on their way over every page of the desk, with the bar that takes them back. */
export function SentProvider({ children }: { children: ReactNode }) {
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const [refused, setRefused] = useState<{ caseId: string; problem: NonNullable<Outcome['problem']> } | null>(null);
  const onTakenBack = useRef<SentDesk['onTakenBack']['current']>(null);
  const queries = useQueryClient();
  const router = useRouter();

  const drop = useCallback((id: string) => setSent((all) => all.filter((one) => one.submissionId !== id)), []);

  const settle = useCallback(
    async (one: Sent) => {
      const answer = await act<Outcome>(`/api/desk/submissions/${one.submissionId}/settle`);
      if (answer.ok && answer.value.outcome === 'waiting') {
        // The server's clock is behind ours: its word counts.
        setSent((all) => all.map((it) => (it.submissionId === one.submissionId ? { ...it, countsAt: later() } : it)));
        return;
      }
      drop(one.submissionId);
      if (answer.ok && answer.value.outcome === 'refused' && answer.value.problem) {
        setRefused({ caseId: one.caseId, problem: answer.value.problem });
      }
      void queries.invalidateQueries();
    },
    [drop, queries],
  );

  const takeBack = useCallback(
    async (one: Sent) => {
      drop(one.submissionId);
      const answer = await act<TakenBack>(`/api/desk/submissions/${one.submissionId}/take-back`);
      if (!answer.ok) {
        setRefused({ caseId: one.caseId, problem: answer.problem });
        return;
      }
      const { caseId, token } = answer.value;
      keepToken(caseId, token);
      // As it is now, before it is shown: the case comes back with the note that went with the decision.
      await queries
        .fetchQuery({ queryKey: ['case', caseId], queryFn: () => read(`/api/desk/cases/${caseId}`) })
        .catch(() => {});
      void queries.invalidateQueries();
      if (onTakenBack.current) onTakenBack.current(answer.value);
      else router.push(`/cases/${caseId}`);
    },
    [drop, queries, router],
  );

  const desk = useMemo<SentDesk>(
    () => ({
      add: (one) => {
        setRefused(null);
        setSent((all) => [...all, one]);
      },
      onTakenBack,
    }),
    [],
  );

  const last = sent.at(-1);
  return (
    <SentContext value={desk}>
      {children}
      {sent.map((one) => (
        <Settling key={one.submissionId} sent={one} settle={settle} />
      ))}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 flex flex-col items-stretch max-md:bottom-[calc(60px+env(safe-area-inset-bottom))] md:items-end md:p-4">
        {refused && (
          <Notice kind="problem" title={refused.problem.title} className="pointer-events-auto md:max-w-md">
            {refused.problem.detail}{' '}
            <a className="link" href={`/cases/${refused.caseId}`}>
              Open the case
            </a>{' '}
            <button type="button" className="link" onClick={() => setRefused(null)}>
              Dismiss
            </button>
          </Notice>
        )}
        {last && <Bar key={last.submissionId} sent={last} others={sent.length - 1} takeBack={takeBack} />}
      </div>
    </SentContext>
  );
}

/** @throws outside of SentProvider. */
export function useSent(): SentDesk {
  const desk = useContext(SentContext);
  if (!desk) throw new Error('no SentProvider above');
  return desk;
}

const later = () => Date.now() + 1000;

function Settling({ sent, settle }: { sent: Sent; settle: (sent: Sent) => Promise<void> }) {
  useEffect(() => {
    const timer = setTimeout(() => void settle(sent), Math.max(0, sent.countsAt - Date.now()) + SETTLE_LAG_MS);
    return () => clearTimeout(timer);
  }, [sent, settle]);
  return null;
}

type BarProps = { sent: Sent; others: number; takeBack: (sent: Sent) => Promise<void> };

function Bar({ sent, others, takeBack }: BarProps) {
  const [left, setLeft] = useState(() => sent.countsAt - Date.now());
  const whole = useRef(Math.max(1, left));
  useEffect(() => {
    const timer = setInterval(() => setLeft(sent.countsAt - Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [sent]);
  const goBack = () => void takeBack(sent);
  useShortcut('u', 'Take back the decision just sent', goBack);
  const seconds = Math.max(0, Math.ceil(left / 1000));
  return (
    <div className="pointer-events-auto relative flex items-center gap-3 overflow-hidden border border-line-strong bg-raised px-3 py-2 shadow-float md:rounded-md">
      <p role="status" className="flex items-center gap-2">
        <Verdict mark={sent.verdict} /> sent
        {others > 0 && <span className="text-muted">, {others} more on the way</span>}
      </p>
      <span className="flex-1 text-muted tabular-nums" aria-hidden="true">
        counts in {seconds} s
      </span>
      <Button hint="u" onClick={goBack}>
        Take back
      </Button>
      <span
        aria-hidden="true"
        className="absolute bottom-0 left-0 h-0.5 bg-accent"
        style={{ width: `${Math.max(0, Math.min(1, left / whole.current)) * 100}%` }}
      />
    </div>
  );
}
