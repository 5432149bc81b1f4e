'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { createElement, type ReactNode, useState } from 'react';
import type { Queue } from '@/lib/review/queues.ts';
import { keepToken } from '../_ui/claims-store.ts';
import { act, type Problem } from '../_ui/desk-api.ts';
import { Notice } from '../_ui/states.tsx';

type ClaimAnswer = { readonly caseId: string; readonly token: string };

/** Claims the next case of a queue and opens it; someone who holds a case already is led back to it. */
export function useStart(queue: Queue): { start: () => Promise<void>; busy: boolean; problem: ReactNode } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const router = useRouter();
  const queries = useQueryClient();

  const start = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await act<ClaimAnswer>('/api/desk/queue/next', { queue });
    if (answer.ok) {
      keepToken(answer.value.caseId, answer.value.token);
      router.push(`/cases/${answer.value.caseId}`);
      return;
    }
    setBusy(false);
    const held = answer.problem.facts?.case;
    if (answer.problem.refusal === 'claim_limit' && typeof held === 'string') {
      router.push(`/cases/${held}`);
      return;
    }
    setProblem(answer.problem);
    await queries.invalidateQueries({ queryKey: ['queue'] });
  };

  const notice = problem && createElement(Notice, { kind: 'problem', title: problem.title }, problem.detail);
  return { start, busy, problem: notice };
}
