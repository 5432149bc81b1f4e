'use client';

import Link from 'next/link';
import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead, Stage } from '@/app/_manager/parts.tsx';
import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import { actorWords } from '@/app/_ui/words.ts';
import type { ExportItem } from '@/lib/exports/list.db.ts';

type Item = Json<ExportItem>;

const STATES: Readonly<Record<Item['state'], string>> = {
  building: 'not finished',
  published: 'published',
  abandoned: 'abandoned',
};

export function ExportsTable({ items }: { items: readonly Item[] }) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-28">State</Head>
          <Head className="w-44">Run</Head>
          <Head>Bundle and hash of its manifest</Head>
          <FigureHead className="w-24">Decisions</FigureHead>
          <FigureHead className="w-24">Exceptions</FigureHead>
          <Head className="w-52">Text</Head>
          <Head className="w-28">By</Head>
          <Head className="w-20 text-right">Age</Head>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <ExportRow key={item.exportId} item={item} />
        ))}
      </tbody>
    </Table>
  );
}

function ExportRow({ item }: { item: Item }) {
  const text = item.withText ? `with text: ${item.purpose}` : 'without text';
  return (
    <Row>
      <Cell className="align-top">
        <Stage word={STATES[item.state]} open={item.state === 'building'} />
      </Cell>
      <Cell className="truncate align-top max-md:flex-1" title={item.run}>
        <Link className="link" href={`/runs/${item.runId}`}>
          {item.run}
        </Link>
      </Cell>
      <Cell className="max-md:order-9 max-md:w-full">
        <span className="code block">{item.exportId}</span>
        {item.manifestSha256 !== null && <span className="code block text-muted">{item.manifestSha256}</span>}
        {item.supersedes !== null && (
          <span className="block text-small text-muted">
            supersedes <span className="code">{item.supersedes}</span>
          </span>
        )}
      </Cell>
      <Figure name="decisions" className="align-top">
        {item.rows === null ? '–' : countText(item.rows)}
      </Figure>
      <Figure name="exceptions" className="align-top">
        {item.exceptions === null ? '–' : countText(item.exceptions)}
      </Figure>
      <Cell className="align-top text-muted">{text}</Cell>
      <Cell className="truncate align-top text-muted">{actorWords(item.createdBy, item.creatorName)}</Cell>
      <Cell className="text-right align-top tabular-nums">
        <Age at={item.publishedAt ?? item.createdAt} />
      </Cell>
    </Row>
  );
}
