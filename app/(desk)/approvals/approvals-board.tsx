'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import type { Json } from '@/app/_server/json.ts';
import { useCounts } from '@/app/_shell/counts.ts';
import { Button } from '@/app/_ui/button.tsx';
import { read } from '@/app/_ui/desk-api.ts';
import { useShortcut } from '@/app/_ui/keyboard.tsx';
import { Age } from '@/app/_ui/now.tsx';
import { Empty, Notice } from '@/app/_ui/states.tsx';
import { StrangerLine } from '@/app/_ui/stranger-text.tsx';
import { Cell, Head, Row, RowLink, Table, useRowKeys } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { actorWords } from '@/app/_ui/words.ts';
import type { ApprovalItem } from '@/lib/enforcement/approvals.db.ts';

type Item = Json<ApprovalItem>;
type Page = { readonly items: readonly Item[]; readonly next: string | null };

const REFRESH_MS = 10_000;

/** Proposed restrictions, oldest first. */
export function ApprovalsBoard({ me, initial }: { me: string; initial: Page }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['approvals'],
    queryFn: ({ pageParam }) =>
      read<Page>(`/api/desk/approvals${pageParam ? `?after=${encodeURIComponent(pageParam)}` : ''}`),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: REFRESH_MS,
  });
  const waiting = useCounts().approvals;
  const items = data.pages.flatMap((page) => page.items);
  const router = useRouter();
  const first = items.find((item) => item.proposedBy !== `user:${me}`);
  const openFirst = () => first && router.push(`/approvals/${first.actionId}`);
  useRowKeys();
  useShortcut(first ? 'Enter' : null, 'Open the oldest', openFirst);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1">
          <h1 className="text-title">
            Approvals
            {waiting && <span className="ml-2 font-normal text-muted tabular-nums">{waiting.count}</span>}
          </h1>
          <p className="text-muted">
            Restrictions that were proposed. Nothing is applied before a second person has approved it.
          </p>
        </div>
        {first && (
          <Button kind="primary" hint="Enter" onClick={openFirst}>
            Open the oldest
          </Button>
        )}
      </div>
      {error && (
        <Notice kind="problem" title="This list could not be refreshed">
          What you see may be old. It is tried again every few seconds.
        </Notice>
      )}
      {items.length === 0 ? (
        <Empty title="Nothing waits for an approval">
          A restriction comes here when a reviewer decides Restrict, or when a policy proposes one by itself.
        </Empty>
      ) : (
        <ApprovalsTable items={items} me={me} />
      )}
      {hasNextPage && (
        <Button className="self-start" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function ApprovalsTable({ items, me }: { items: readonly Item[]; me: string }) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-44">Proposed</Head>
          <Head>Text</Head>
          <Head className="w-48">By</Head>
          <Head className="w-44">Source</Head>
          <Head className="w-20 text-right">Waiting</Head>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => {
          const own = item.proposedBy === `user:${me}`;
          const by = own ? 'you: someone else decides' : actorWords(item.proposedBy, item.proposerName);
          return (
            <Row key={item.actionId}>
              <Cell className="truncate max-md:order-1 max-md:flex-1">
                <Verdict mark="restrict" word={item.action} /> <span className="text-muted">{item.label}</span>
              </Cell>
              <Cell className="max-md:order-3 max-md:w-full">
                <RowLink href={`/approvals/${item.actionId}`}>
                  {item.text === null ? (
                    <span className="text-muted">The text was erased</span>
                  ) : (
                    <StrangerLine
                      text={
                        [item.title, item.text].filter(Boolean).join(' · ').replace(/\s+/g, ' ') || 'The text is empty'
                      }
                    />
                  )}
                </RowLink>
              </Cell>
              <Cell className={clsx('truncate max-md:order-4', own ? 'text-muted italic' : 'text-muted')} title={by}>
                {by}
              </Cell>
              <Cell className="truncate text-muted max-md:order-5" title={item.source}>
                {item.source}
              </Cell>
              <Cell className="text-right tabular-nums max-md:order-2">
                <Age at={item.proposedAt} />
              </Cell>
            </Row>
          );
        })}
      </tbody>
    </Table>
  );
}
