import Link from 'next/link';
import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead, Section } from '@/app/_manager/parts.tsx';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Empty } from '@/app/_ui/states.tsx';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { failureSentence } from '@/app/_ui/words.ts';

/** What ended without a decision, by its reason, and what can be done about it. */
export function Exceptions({ run }: { run: RunJson }) {
  return (
    <Section
      id="exceptions"
      title="Exceptions by reason"
      about="What the machine gave no opinion on. People decide these in the queue of failed cases; each stays an exception of this run."
    >
      {run.exceptions_by_code.length === 0 ? (
        <Empty title="There are none">Every item that has ended got an answer from its classifier.</Empty>
      ) : (
        <Table>
          <thead className="max-md:hidden">
            <tr className="h-8">
              <Head className="w-52">Reason</Head>
              <FigureHead className="w-24">Items</FigureHead>
              <Head>What happened</Head>
            </tr>
          </thead>
          <tbody className="max-md:block">
            {run.exceptions_by_code.map(({ code, count }) => (
              <Row key={code}>
                <Cell className="max-md:flex-1">
                  <Verdict mark="failed" word={code.replaceAll('_', ' ')} />
                </Cell>
                <Figure name="items">{countText(count)}</Figure>
                <Cell className="text-muted max-md:w-full">{failureSentence(code)}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {run.exceptions > 0 && (
        <p className="text-muted">
          To send the items of one reason again:{' '}
          <span className="code">npm run docket -- requeue {run.run} --code REASON</span>. What waits for people is
          under{' '}
          <Link className="link" href="/operations">
            Operations
          </Link>
          .
        </p>
      )}
    </Section>
  );
}
