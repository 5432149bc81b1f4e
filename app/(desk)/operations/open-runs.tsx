'use client';

import Link from 'next/link';
import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead, Stage } from '@/app/_manager/parts.tsx';
import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Empty } from '@/app/_ui/states.tsx';
import { Cell, Head, Row, RowLink, Table, useRowKeys } from '@/app/_ui/table.tsx';
import type { OpenRun } from '@/lib/quality/operations.db.ts';

export function OpenRuns({ runs }: { runs: readonly Json<OpenRun>[] }) {
  useRowKeys();
  if (runs.length === 0) {
    return (
      <Empty title="Every run is at its end">
        Finished ones are under{' '}
        <Link className="link" href="/runs">
          Runs
        </Link>
        .
      </Empty>
    );
  }
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-44">State</Head>
          <Head>Run</Head>
          <FigureHead className="w-28">Pending</FigureHead>
          <FigureHead className="w-36">Being worked on</FigureHead>
          <FigureHead className="w-36">Oldest open item</FigureHead>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {runs.map((run) => (
          <OpenRunRow key={run.id} run={run} />
        ))}
      </tbody>
    </Table>
  );
}

function OpenRunRow({ run }: { run: Json<OpenRun> }) {
  return (
    <Row>
      <Cell className="truncate">
        <Stage word={run.state} open />{' '}
        <span className="text-muted">{run.scheduled ? 'until its time' : run.pauseReason?.replaceAll('_', ' ')}</span>
      </Cell>
      <Cell className="truncate max-md:flex-1" title={run.name}>
        <RowLink href={`/runs/${run.id}`}>{run.name}</RowLink>
      </Cell>
      <Figure name="pending">{countText(run.pending)}</Figure>
      <Figure name="being worked on">{countText(run.leased)}</Figure>
      <Figure name="oldest open item">{run.oldestAt === null ? '–' : <Age at={run.oldestAt} />}</Figure>
    </Row>
  );
}
