'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef } from 'react';
import { type Sent, type TakenBack, useSent } from '@/app/_review/sent.tsx';
import type { CaseJson } from '@/app/_server/case-json.ts';
import { keepToken } from '@/app/_ui/claims-store.ts';
import { act, DeskError, read } from '@/app/_ui/desk-api.ts';
import { Notice } from '@/app/_ui/states.tsx';
import type { Queue } from '@/lib/review/queues.ts';
import { OneCase } from './one-case.tsx';

const REFRESH_MS = 10_000;
const QUEUE_PATHS: Record<Queue, string> = {
  review: '/queue',
  failed: '/queue/failed',
  moderator: '/queue?tier=moderator',
};

type ClaimAnswer = { readonly caseId: string; readonly token: string };

/** @returns the queue a case is worked from. */
function queueOf({ case: { tier, kind } }: CaseJson): Queue {
  if (tier === 'moderator') return 'moderator';
  return kind === 'exception' ? 'failed' : 'review';
}

/**
 * Shows one case after the other. The next is claimed and loaded while this one is read, so that it is on screen the
 * moment a decision is acknowledged; the address follows without a load of the page.
 */
export function CaseDesk({ initial }: { initial: CaseJson }) {
  const id = usePathname().split('/')[2] ?? initial.case.caseId;
  const found = useCase(id, initial);
  const sent = useSent();
  const router = useRouter();
  const flow = useNext();
  /** Cases this tab has moved on to by itself are claimed as they appear; one opened by its address asks first. */
  const moved = useRef<string | null>(null);

  const show = useCallback((caseId: string) => {
    moved.current = caseId;
    window.history.pushState(null, '', `/cases/${caseId}`);
    window.scrollTo(0, 0);
  }, []);

  useEffect(() => {
    const back = ({ caseId }: TakenBack) => {
      flow.forget();
      show(caseId);
    };
    sent.onTakenBack.current = back;
    return () => {
      if (sent.onTakenBack.current === back) sent.onTakenBack.current = null;
    };
  }, [sent, flow, show]);

  const onLeft = async (queue: Queue, decision: Sent | null) => {
    if (decision) sent.add(decision);
    const next = await flow.take(queue);
    if (next) show(next);
    else router.push(QUEUE_PATHS[queue]);
  };

  if (found.data === undefined) {
    const problem = found.error instanceof DeskError ? found.error.problem : null;
    if (!found.error) return <p className="text-muted">Loading the case…</p>;
    return (
      <Notice kind="problem" title={problem?.title ?? 'The case cannot be loaded'}>
        {problem?.detail}
      </Notice>
    );
  }
  const queue = queueOf(found.data);
  return (
    <OneCase
      key={id}
      found={found.data}
      arrived={moved.current === id}
      onHeld={() => void flow.prefetch(queue)}
      onLeft={(decision) => void onLeft(queue, decision)}
    />
  );
}

function useCase(id: string, initial: CaseJson) {
  return useQuery({
    queryKey: ['case', id],
    queryFn: () => read<CaseJson>(`/api/desk/cases/${id}`),
    initialData: id === initial.case.caseId ? initial : undefined,
    refetchInterval: REFRESH_MS,
  });
}

/** The case that waits beside the one that is read. */
function useNext() {
  const queries = useQueryClient();
  const next = useRef<string | null>(null);
  const asking = useRef<Promise<void> | null>(null);

  const prefetch = useCallback(
    async (queue: Queue) => {
      if (next.current || asking.current) return;
      asking.current = (async () => {
        const answer = await act<ClaimAnswer>('/api/desk/queue/next', { queue, prefetch: true });
        if (!answer.ok) return;
        const { caseId } = answer.value;
        await queries.prefetchQuery({
          queryKey: ['case', caseId],
          queryFn: () => read<CaseJson>(`/api/desk/cases/${caseId}`),
        });
        next.current = caseId;
      })().finally(() => {
        asking.current = null;
      });
      await asking.current;
    },
    [queries],
  );

  /** @returns the next case of the queue, claimed or about to be; null where nothing waits. */
  const take = useCallback(async (queue: Queue): Promise<string | null> => {
    await asking.current;
    const ready = next.current;
    next.current = null;
    if (ready) return ready;
    const answer = await act<ClaimAnswer>('/api/desk/queue/next', { queue });
    if (!answer.ok) return null;
    keepToken(answer.value.caseId, answer.value.token);
    return answer.value.caseId;
  }, []);

  /** After a step back the server has put the others aside; which of them comes next is its choice again. */
  const forget = useCallback(() => {
    next.current = null;
  }, []);

  return useRef({ prefetch, take, forget }).current;
}
