'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type { CaseJson } from '../_server/case-json.ts';
import { act, type Problem } from '../_ui/desk-api.ts';
import type { Sent } from './sent.tsx';
import type { useClaim } from './use-claim.ts';
import type { DecideForm } from './use-form.ts';

export type Asking = 'restrict' | 'reason' | 'escalate' | 'defer' | null;

type Use = {
  found: CaseJson;
  form: DecideForm;
  claim: ReturnType<typeof useClaim>;
  /** Called when the case has left this person's hands: with the decision that is on its way, if one is. */
  onLeft: (sent: Sent | null) => void;
};

/** The acts on a case that is held: each is sent at once, and only a "no" keeps the case on screen. */
export function useDecide({ found, form, claim, onLeft }: Use) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<Asking>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const ticked = useRef<string | null>(null);
  const queries = useQueryClient();
  const { caseId, revision } = found.case;
  const { hold, lose } = claim;
  const { setSent, settled } = form;

  const send = useCallback(
    async <T>(path: string, body: object): Promise<T | null> => {
      if (hold.state !== 'held' || busy) return null;
      setBusy(true);
      setProblem(null);
      setSent(true);
      await settled();
      const answer = await act<T>(`/api/desk/cases/${caseId}/${path}`, { token: hold.token, ...body });
      setBusy(false);
      if (answer.ok) {
        setAsking(null);
        return answer.value;
      }
      setSent(false);
      void queries.invalidateQueries({ queryKey: ['case', caseId] });
      const { refusal, status } = answer.problem;
      if (status === 409 && refusal !== 'reason_required') {
        setAsking(null);
        if (refusal === 'claim_lost' || refusal === 'already_decided') lose(answer.problem);
        else setProblem(answer.problem);
      } else setProblem(answer.problem);
      return null;
    },
    [caseId, hold, busy, lose, setSent, settled, queries],
  );

  const decide = useCallback(
    async (verdict: 'allow' | 'restrict', reasonCode: string | null) => {
      const { labels, note } = form;
      const sent = await send<{ submissionId: string; effectiveInMs: number }>('submission', {
        ...{ verdict, labels, reasonCode, revision },
        note: note === '' ? null : note,
      });
      if (!sent) return;
      const { submissionId, effectiveInMs } = sent;
      onLeft({ submissionId, caseId, verdict, countsAt: Date.now() + effectiveInMs });
    },
    [form, send, revision, caseId, onLeft],
  );

  const leave = useCallback(
    async (way: 'skip' | 'not-sure' | 'release', body: object = {}) => {
      if (await send(way, body)) onLeft(null);
    },
    [send, onLeft],
  );

  return {
    busy,
    asking,
    problem,
    setAsking,
    allow: () => void decide('allow', form.reason),
    /** Sends where a reason is chosen; else asks for it. The label the case is about is ticked, to be seen and unticked. */
    restrict: (reason: string | null = form.reason) => {
      if (asking === 'restrict' && reason !== null) {
        void decide('restrict', reason);
        return;
      }
      const tick = asking !== 'restrict' && form.labels.length === 0 && found.case.label !== null;
      ticked.current = tick ? found.case.label : ticked.current;
      if (tick && found.case.label !== null) form.setLabels([found.case.label]);
      setAsking('restrict');
    },
    /** Steps back from asking for a reason; a label that was ticked for it is unticked again. */
    cancel: () => {
      if (form.labels.length === 1 && form.labels[0] === ticked.current) form.setLabels([]);
      ticked.current = null;
      setAsking(null);
    },
    skip: () => void leave('skip'),
    notSure: () => void leave('not-sure'),
    release: () => void leave('release'),
    /** On to the next case from one that cannot be decided any more; what can be given back is. */
    goOn: async () => {
      if (hold.state === 'held') await act(`/api/desk/cases/${caseId}/release`, { token: hold.token });
      onLeft(null);
    },
    defer: async (forMs: number) => {
      if (await send('defer', { forMs })) onLeft(null);
    },
    escalate: async (reasonCode: string | null, note: string) => {
      if (await send('escalate', { reasonCode, note: note === '' ? null : note })) onLeft(null);
    },
  };
}

export type Deciding = ReturnType<typeof useDecide>;
