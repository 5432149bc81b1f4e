'use client';

import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { StrangerLine } from '@/app/_ui/stranger-text.tsx';
import { Cell, Head, Row, RowLink, Table } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { whyShort } from '@/app/_ui/words.ts';
import type { QueueItem } from '@/lib/review/queue.db.ts';
import type { Queue } from '@/lib/review/queues.ts';
import { ESCALATION_REASONS } from '@/lib/review/reasons.ts';

type Item = Json<QueueItem>;
type TableProps = { queue: Queue; items: readonly Item[] };

export function QueueTable({ queue, items }: TableProps) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-56">Why it is here</Head>
          <Head>Text</Head>
          <Head className="w-52">{queue === 'moderator' ? 'Escalated because' : 'Source'}</Head>
          <Head className="w-36">Being read by</Head>
          <Head className="w-20 text-right">Waiting</Head>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <CaseRow key={item.caseId} queue={queue} item={item} />
        ))}
      </tbody>
    </Table>
  );
}

function CaseRow({ queue, item }: { queue: Queue; item: Item }) {
  const { mark, words } = whyShort(item);
  const third = queue === 'moderator' ? escalation(item) : item.source;
  return (
    <Row>
      <Cell className="truncate max-md:order-1 max-md:flex-1" title={words}>
        <Verdict mark={mark} /> <span className="text-muted">{words}</span>
      </Cell>
      <Cell className="max-md:order-3 max-md:w-full">
        <RowLink href={`/cases/${item.caseId}`}>
          <Excerpt item={item} />
        </RowLink>
      </Cell>
      <Cell className="truncate text-muted max-md:order-4" title={third}>
        {third}
      </Cell>
      <Cell className="truncate text-muted max-md:order-5">{item.reader?.name}</Cell>
      <Cell className="text-right tabular-nums max-md:order-2">
        <Age at={item.openedAt} />
      </Cell>
    </Row>
  );
}

/** The beginning of the text; what is empty or gone says so, so that no row is a blank that cannot be pressed. */
function Excerpt({ item }: { item: Item }) {
  const text = [item.title, item.excerpt].filter(Boolean).join(' · ');
  if (item.excerpt === null) return <span className="text-muted">The text was erased</span>;
  if (text.trim() === '') return <span className="text-muted">The text is empty</span>;
  return <StrangerLine text={text.replace(/\s+/g, ' ')} />;
}

function escalation(item: Item): string {
  const code = item.escalationReason;
  return ESCALATION_REASONS.find((reason) => reason.code === code)?.text ?? code ?? item.source;
}
