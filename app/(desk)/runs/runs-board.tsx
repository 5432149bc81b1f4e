'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead, Stage } from '@/app/_manager/parts.tsx';
import type { Json } from '@/app/_server/json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { read } from '@/app/_ui/desk-api.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Empty, Notice } from '@/app/_ui/states.tsx';
import { Cell, Head, Row, RowLink, Table, useRowKeys } from '@/app/_ui/table.tsx';
import type { listRunItems, RunItem } from '@/lib/quality/run-list.db.ts';

type Page = Json<Awaited<ReturnType<typeof listRunItems>>>;

const REFRESH_MS = 5_000;

/** Every run, newest first, kept fresh while it is looked at. */
export function RunsBoard({ initial }: { initial: Page }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['runs'],
    queryFn: ({ pageParam }) =>
      read<Page>(`/api/desk/runs${pageParam ? `?after=${encodeURIComponent(pageParam)}` : ''}`),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: REFRESH_MS,
  });
  useRowKeys();
  const items = data.pages.flatMap((page) => page.items);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-title">Runs</h1>
        <p className="text-muted">Each run classifies one snapshot under one policy version. Newest first.</p>
      </div>
      {error && (
        <Notice kind="problem" title="This list could not be refreshed">
          What you see may be old. It is tried again every few seconds.
        </Notice>
      )}
      {items.length === 0 ? (
        <Empty title="No run has been started">
          Runs are started from the command line:{' '}
          <span className="code">npm run docket -- run start --snapshot NAME --policy SLUG@N</span>
        </Empty>
      ) : (
        <RunsTable items={items} />
      )}
      {hasNextPage && (
        <Button className="self-start" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function RunsTable({ items }: { items: readonly Json<RunItem>[] }) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-32">State</Head>
          <Head>Run</Head>
          <Head className="w-20">Mode</Head>
          <Head className="w-36">Policy</Head>
          <FigureHead className="w-28">Revisions</FigureHead>
          <FigureHead className="w-28">Decisions</FigureHead>
          <FigureHead className="w-24">Exceptions</FigureHead>
          <FigureHead className="w-24">Pending</FigureHead>
          <FigureHead className="w-20">Bundles</FigureHead>
          <FigureHead className="w-20">Started</FigureHead>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </Table>
  );
}

function RunRow({ run }: { run: Json<RunItem> }) {
  return (
    <Row>
      <Cell className="max-md:order-1">
        <Stage word={run.state} open={run.endedAt === null} />
      </Cell>
      <Cell className="truncate max-md:order-2 max-md:flex-1" title={run.name}>
        <RowLink href={`/runs/${run.id}`}>
          {run.name}
          {run.snapshot !== null && run.snapshot !== run.name && (
            <span className="text-muted"> · snapshot {run.snapshot}</span>
          )}
        </RowLink>
      </Cell>
      <Cell className="text-muted max-md:order-4">{run.mode}</Cell>
      <Cell className="truncate text-muted max-md:order-5" title={run.policyVersion}>
        {run.policyVersion}
      </Cell>
      <Figure name="revisions" className="max-md:order-6">
        {countText(run.revisions)}
      </Figure>
      <Figure name="decisions" className="max-md:order-6">
        {countText(run.decisions)}
      </Figure>
      <Figure name="exceptions" className="max-md:order-6">
        {countText(run.exceptions)}
      </Figure>
      <Figure name="pending" className="max-md:order-6">
        {countText(Math.max(0, run.revisions - run.decisions - run.exceptions))}
      </Figure>
      <Figure name="bundles" className="max-md:order-6">
        {countText(run.exports)}
      </Figure>
      <Cell className="text-right tabular-nums max-md:order-3">
        <Age at={run.createdAt} />
      </Cell>
    </Row>
  );
}
