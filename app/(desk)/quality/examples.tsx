'use client';

import type { Json } from '@/app/_server/json.ts';
import { contentPath } from '@/app/_ui/content-address.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Empty } from '@/app/_ui/states.tsx';
import { StrangerLine } from '@/app/_ui/stranger-text.tsx';
import { Cell, Head, Row, RowLink, Table, useRowKeys } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { scoreText } from '@/app/_ui/words.ts';
import type { Disagreement } from '@/lib/quality/quality.db.ts';

/** Single cases to open, by their ids only: the text is read on the page of the content, where it belongs. */
export function Examples({ items }: { items: readonly Json<Disagreement>[] }) {
  useRowKeys();
  if (items.length === 0) {
    return (
      <Empty title="There is none">Every review so far names what the machine had flagged, or none was given.</Empty>
    );
  }
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-60">The machine flagged</Head>
          <Head className="w-72">The person said</Head>
          <Head>Content</Head>
          <Head className="w-24 text-right">Reviewed</Head>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {items.map((item) => (
          <Row key={`${item.contentId} ${item.revision} ${item.label} ${item.at}`}>
            <Cell className="max-md:w-full">
              <Verdict mark={item.machine} />{' '}
              <span className="text-muted">
                {item.label} {scoreText(item.score)}
              </span>
            </Cell>
            <Cell className="truncate">
              <Verdict mark={item.person} />{' '}
              <span className="text-muted">{item.labels.length === 0 ? 'no label' : item.labels.join(', ')}</span>
            </Cell>
            <Cell className="truncate max-md:flex-1">
              <RowLink href={contentPath(item.contentId)}>
                <StrangerLine text={item.contentId} />
              </RowLink>
            </Cell>
            <Cell className="text-right tabular-nums">
              <Age at={item.at} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
