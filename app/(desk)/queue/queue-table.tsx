'use client';

import clsx from 'clsx';
import Link from 'next/link';
import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { StrangerLine } from '@/app/_ui/stranger-text.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { whyShort } from '@/app/_ui/words.ts';
import type { QueueItem } from '@/lib/review/queue.db.ts';
import type { Queue } from '@/lib/review/queues.ts';
import { ESCALATION_REASONS } from '@/lib/review/reasons.ts';

type Item = Json<QueueItem>;
type TableProps = { queue: Queue; items: readonly Item[]; chosen: string | null };

const HEAD =
  'sticky top-11 z-10 border-b border-line-strong bg-surface px-2 text-left text-small text-muted max-md:hidden';

export function QueueTable({ queue, items, chosen }: TableProps) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 max-md:block">
      <thead className="max-md:hidden">
        <tr className="h-8">
          <th className={clsx(HEAD, 'w-56')}>Why it is here</th>
          <th className={HEAD}>Text</th>
          <th className={clsx(HEAD, 'w-52')}>{queue === 'moderator' ? 'Escalated because' : 'Source'}</th>
          <th className={clsx(HEAD, 'w-36')}>Being read by</th>
          <th className={clsx(HEAD, 'w-20 text-right')}>Waiting</th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <Row key={item.caseId} queue={queue} item={item} chosen={item.caseId === chosen} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ queue, item, chosen }: { queue: Queue; item: Item; chosen: boolean }) {
  const { mark, words } = whyShort(item);
  const cell = 'h-8 border-b border-line px-2 py-1 align-middle';
  return (
    <tr
      id={`row-${item.caseId}`}
      aria-selected={chosen || undefined}
      className={clsx(
        'group relative hover:bg-sunken max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:border-b max-md:border-line max-md:py-2',
        chosen && 'bg-sunken outline-2 -outline-offset-2 outline-accent',
      )}
    >
      <td
        className={clsx(cell, 'truncate max-md:order-1 max-md:h-auto max-md:flex-1 max-md:border-0 max-md:p-0')}
        title={words}
      >
        <Verdict mark={mark} word={mark} /> <span className="text-muted">{words}</span>
      </td>
      <td className={clsx(cell, 'max-md:order-3 max-md:h-auto max-md:w-full max-md:border-0 max-md:p-0')}>
        <Link href={`/cases/${item.caseId}`} prefetch={false} className="after:absolute after:inset-0">
          <Excerpt item={item} />
        </Link>
      </td>
      <td
        className={clsx(cell, 'truncate text-muted max-md:order-4 max-md:h-auto max-md:border-0 max-md:p-0')}
        title={item.source}
      >
        {queue === 'moderator' ? escalation(item) : item.source}
      </td>
      <td className={clsx(cell, 'truncate text-muted max-md:order-5 max-md:h-auto max-md:border-0 max-md:p-0')}>
        {item.reader?.name}
      </td>
      <td className={clsx(cell, 'text-right tabular-nums max-md:order-2 max-md:h-auto max-md:border-0 max-md:p-0')}>
        <Age at={item.openedAt} />
      </td>
    </tr>
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
