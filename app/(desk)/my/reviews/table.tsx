'use client';

import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { StrangerLine } from '@/app/_ui/stranger-text.tsx';
import { Cell, Head, Row, RowLink, Table, useRowKeys } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { statusWords } from '@/app/_ui/words.ts';
import type { MyReview } from '@/lib/review/mine.db.ts';

type Item = Json<MyReview>;

export function MyReviewsTable({ items }: { items: readonly Item[] }) {
  useRowKeys();
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-28">You said</Head>
          <Head>Text</Head>
          <Head className="w-56">What became of it</Head>
          <Head className="w-40">The content now</Head>
          <Head className="w-24 text-right">Sent</Head>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <ReviewRow key={item.submissionId} item={item} />
        ))}
      </tbody>
    </Table>
  );
}

const REFUSED: Readonly<Record<string, string>> = {
  stale_revision: 'refused: a newer revision came',
  outranked: 'refused: someone with more authority decided',
  removed: 'refused: deleted at its source',
  role_changed: 'refused: your role changed',
};

function fate({ state, refusal, verdict, mode }: Item): string {
  if (state === 'refused') return REFUSED[refusal ?? ''] ?? `refused: ${refusal}`;
  if (state === 'waiting') return 'on its way';
  if (state === 'taken_back') return 'taken back';
  if (mode === 'record') return 'recorded';
  return verdict === 'restrict' ? 'counts; sent to approval' : 'counts';
}

function ReviewRow({ item }: { item: Item }) {
  const now = statusWords(item.status, item.statusAction);
  const text = [item.title, item.excerpt].filter(Boolean).join(' · ').replace(/\s+/g, ' ');
  return (
    <Row>
      <Cell className="max-md:order-1 max-md:flex-1">
        <Verdict mark={item.verdict} />
      </Cell>
      <Cell className="max-md:order-3 max-md:w-full">
        <RowLink href={`/cases/${item.caseId}`}>
          {text.trim() === '' ? <span className="text-muted">No text to show</span> : <StrangerLine text={text} />}
        </RowLink>
      </Cell>
      <Cell className="truncate text-muted max-md:order-4" title={fate(item)}>
        {fate(item)}
      </Cell>
      <Cell className="truncate max-md:order-5">
        <Verdict mark={now.mark} word={now.words} />
      </Cell>
      <Cell className="text-right tabular-nums max-md:order-2">
        <Age at={item.submittedAt} />
      </Cell>
    </Row>
  );
}
