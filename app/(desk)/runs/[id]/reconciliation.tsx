'use client';

import { useQuery } from '@tanstack/react-query';
import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead, Section, Stage } from '@/app/_manager/parts.tsx';
import type { ReconciliationJson } from '@/app/_server/reconciliation-json.ts';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { read } from '@/app/_ui/desk-api.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';

/** Each term was counted by a query of its own, so this is not asked for every two seconds. */
const WORKING_MS = 15_000;

type Slice = ReconciliationJson['by'][number];

export function Reconciliation({ run, initial }: { run: RunJson; initial: ReconciliationJson }) {
  const working = run.state === 'running';
  const { data, error, isFetching, refetch } = useQuery({
    // Counted anew when the run comes to its end.
    queryKey: ['run', run.run, 'reconciliation', run.state],
    queryFn: () => read<ReconciliationJson>(`/api/desk/runs/${run.run}/reconciliation`),
    initialData: initial,
    initialDataUpdatedAt: Date.parse(initial.countedAt),
    staleTime: WORKING_MS,
    refetchInterval: working ? WORKING_MS : false,
  });
  return (
    <Section
      id="reconciliation"
      title="Reconciliation by source and content type"
      about="Each term is counted by its own query over its own table, then compared. Verdicts are the machine's and sum to decisions."
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Stage word={data.closes ? 'closes' : 'does not close'} open={false} />
        <span className="text-muted">
          counted <Age at={data.countedAt} suffix=" ago" />
        </span>
        <Button kind="quiet" disabled={isFetching} onClick={() => void refetch()}>
          Count again
        </Button>
      </div>
      {error && (
        <Notice kind="problem" title="It could not be counted again">
          The figures below are the last ones that could.
        </Notice>
      )}
      {data.differences.length > 0 && <Differences differences={data.differences} />}
      <Slices slices={data.by} run={run} />
    </Section>
  );
}

function Differences({ differences }: { differences: ReconciliationJson['differences'] }) {
  return (
    <Notice kind="problem" title="The arithmetic does not close">
      <ul className="list-disc pl-4">
        {differences.map((one) => (
          <li key={`${one.source} ${one.content_type} ${one.term}`}>
            {one.source}, {one.content_type}: {one.term} should be {countText(one.expected)} and{' '}
            {one.counted === 1 ? 'is' : 'are'} {countText(one.counted)}.
          </li>
        ))}
      </ul>
      An export is refused until this is explained. Tell whoever runs this desk.
    </Notice>
  );
}

function Slices({ slices, run }: { slices: readonly Slice[]; run: RunJson }) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head>Source</Head>
          <Head className="w-24">Type</Head>
          <FigureHead className="w-24">Revisions</FigureHead>
          <FigureHead className="w-24">= Decisions</FigureHead>
          <FigureHead className="w-28">+ Exceptions</FigureHead>
          <FigureHead className="w-24">+ Pending</FigureHead>
          <FigureHead className="w-24">Allow</FigureHead>
          <FigureHead className="w-24">Review</FigureHead>
          <FigureHead className="w-24">Restrict</FigureHead>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {slices.map((slice) => (
          <SliceRow key={`${slice.source} ${slice.content_type}`} slice={slice} run={run} />
        ))}
      </tbody>
    </Table>
  );
}

function SliceRow({ slice, run }: { slice: Slice; run: RunJson }) {
  const verdicts = run.by.find((one) => one.source === slice.source && one.content_type === slice.content_type);
  return (
    <Row>
      <Cell className="truncate font-medium max-md:w-full" title={slice.source}>
        {slice.source}
      </Cell>
      <Cell className="text-muted">{slice.content_type}</Cell>
      <Figure name="revisions">{countText(slice.revisions)}</Figure>
      <Figure name="= decisions">{countText(slice.decisions)}</Figure>
      <Figure name="+ exceptions">{countText(slice.exceptions)}</Figure>
      <Figure name="+ pending">{countText(slice.pending)}</Figure>
      <Figure name="allow">{countText(verdicts?.allow ?? 0)}</Figure>
      <Figure name="review">{countText(verdicts?.review ?? 0)}</Figure>
      <Figure name="restrict">{countText(verdicts?.restrict ?? 0)}</Figure>
    </Row>
  );
}
