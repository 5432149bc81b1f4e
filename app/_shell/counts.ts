'use client';

import { useQuery } from '@tanstack/react-query';
import { read } from '../_ui/desk-api.ts';

/** What waits, and since when the oldest of it has. A queue that a role does not see is absent. */
export type Waiting = { readonly count: number; readonly oldestAt: string | null };
export type Counts = Readonly<Partial<Record<'review' | 'failed' | 'moderator' | 'approvals', Waiting>>>;

const REFRESH_MS = 10_000;

/** The counts beside the queues: the server's at first, then kept fresh while the window is looked at. */
export function useCounts(initial?: Counts): Counts {
  const { data } = useQuery({
    queryKey: ['counts'],
    queryFn: () => read<Counts>('/api/desk/counts'),
    initialData: initial,
    refetchInterval: REFRESH_MS,
  });
  return data ?? {};
}
