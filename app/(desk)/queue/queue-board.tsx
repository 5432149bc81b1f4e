'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStart } from '@/app/_review/use-start.ts';
import type { Json } from '@/app/_server/json.ts';
import { useCounts } from '@/app/_shell/counts.ts';
import { Button } from '@/app/_ui/button.tsx';
import { read } from '@/app/_ui/desk-api.ts';
import { useShortcut } from '@/app/_ui/keyboard.tsx';
import { Age } from '@/app/_ui/now.tsx';
import { Empty, Notice } from '@/app/_ui/states.tsx';
import { useRowKeys } from '@/app/_ui/table.tsx';
import type { QueuePage } from '@/lib/review/queue.db.ts';
import type { Queue } from '@/lib/review/queues.ts';
import { QueueTable } from './queue-table.tsx';

type Page = Json<QueuePage>;

const REFRESH_MS = 10_000;

const TEXTS: Record<Queue, { title: string; about: string; empty: ReactNode }> = {
  review: {
    title: 'Review',
    about: 'What the machine was not sure about. Oldest first.',
    empty: 'Cases come here when a run finds a text that its policy sends to a person. New ones appear by themselves.',
  },
  failed: {
    title: 'Failed',
    about: 'Texts on which the machine gave no opinion. They are decided from the text alone.',
    empty:
      'A text comes here when its classifier could not answer. That none is here means that every call was answered.',
  },
  moderator: {
    title: 'Escalated',
    about: 'Cases that reviewers handed on with a reason.',
    empty: 'A case comes here when a reviewer presses Escalate. Proposed restrictions wait under Approvals.',
  },
};

export function QueueBoard({ queue, initial }: { queue: Queue; initial: Page }) {
  const texts = TEXTS[queue];
  const waiting = useCounts()[queue];
  const { pages, error, more } = useQueue(queue, initial);
  const { start, busy, problem } = useStart(queue);
  const items = pages.flatMap((page) => page.items);
  useRowKeys();
  useShortcut(items.length > 0 ? 'Enter' : null, 'Start reviewing', () => void start());

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1">
          <h1 className="text-title">
            {texts.title}
            {waiting && (
              <span className="ml-2 font-normal text-muted tabular-nums">{waiting.count.toLocaleString('en')}</span>
            )}
          </h1>
          <p className="text-muted">
            {texts.about}
            {waiting?.oldestAt && (
              <>
                {' The oldest has waited '}
                <Age at={waiting.oldestAt} />.
              </>
            )}
          </p>
        </div>
        {items.length > 0 && (
          <Button kind="primary" hint="Enter" disabled={busy} onClick={() => void start()}>
            Start reviewing
          </Button>
        )}
      </div>
      {problem}
      {error && (
        <Notice kind="problem" title="This list could not be refreshed">
          What you see may be old. It is tried again every few seconds.
        </Notice>
      )}
      {items.length === 0 ? (
        <Empty title="Nothing is waiting here">{texts.empty}</Empty>
      ) : (
        <QueueTable queue={queue} items={items} />
      )}
      {more && (
        <Button className="self-start" disabled={more.busy} onClick={more.load}>
          Show more
        </Button>
      )}
    </div>
  );
}

function useQueue(queue: Queue, initial: Page) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['queue', queue],
    queryFn: ({ pageParam }) =>
      read<Page>(`/api/desk/queue?queue=${queue}${pageParam ? `&after=${encodeURIComponent(pageParam)}` : ''}`),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: REFRESH_MS,
  });
  return {
    pages: data.pages,
    error,
    more: hasNextPage ? { load: () => void fetchNextPage(), busy: isFetchingNextPage } : null,
  };
}
