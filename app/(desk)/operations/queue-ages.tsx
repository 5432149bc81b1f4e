import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead } from '@/app/_manager/parts.tsx';
import { queueName } from '@/app/_manager/words.ts';
import type { Json } from '@/app/_server/json.ts';
import { ageText } from '@/app/_ui/age.ts';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import type { QueueAges as Ages } from '@/lib/quality/queue-age.db.ts';

type Queue = Json<Ages>;

/** One row a queue. The bars share one scale that begins at zero, so that they can be compared by eye. */
export function QueueAges({ queues }: { queues: readonly Queue[] }) {
  const longestMs = Math.max(1, ...queues.map((queue) => queue.oldestMs ?? 0));
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head className="w-28">Queue</Head>
          <FigureHead className="w-20">Waiting</FigureHead>
          <FigureHead className="w-20">p50</FigureHead>
          <FigureHead className="w-20">p90</FigureHead>
          <FigureHead className="w-20">p99</FigureHead>
          <FigureHead className="w-20">Oldest</FigureHead>
          <Head className="truncate">Ages drawn, 0 to {ageText(longestMs)}</Head>
          <FigureHead className="w-32">Last hour in · out</FigureHead>
          <FigureHead className="w-32">Last day in · out</FigureHead>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {queues.map((queue) => (
          <QueueRow key={queue.queue} queue={queue} longestMs={longestMs} />
        ))}
      </tbody>
    </Table>
  );
}

function QueueRow({ queue, longestMs }: { queue: Queue; longestMs: number }) {
  const { flow } = queue;
  return (
    <Row>
      <Cell className="font-medium max-md:w-full">{queueName(queue.queue)}</Cell>
      <Figure name="waiting" className="font-semibold">
        {countText(queue.count)}
      </Figure>
      <Figure name="p50">{age(queue.p50Ms)}</Figure>
      <Figure name="p90">{age(queue.p90Ms)}</Figure>
      <Figure name="p99">{age(queue.p99Ms)}</Figure>
      <Figure name="oldest" className="font-semibold">
        {age(queue.oldestMs)}
      </Figure>
      <Cell className="max-md:order-9 max-md:w-full">
        <Strip queue={queue} longestMs={longestMs} />
      </Cell>
      <Figure name="last hour in · out">
        {countText(flow.inHour)} · {countText(flow.outHour)}
      </Figure>
      <Figure name="last day in · out">
        {countText(flow.inDay)} · {countText(flow.outDay)}
      </Figure>
    </Row>
  );
}

function age(ms: number | null): string {
  return ms === null ? '–' : ageText(ms);
}

/** Thick to the median, thinner to p90, a line to the oldest; the figures beside say the same. */
function Strip({ queue, longestMs }: { queue: Queue; longestMs: number }) {
  const x = (ms: number | null) => ((ms ?? 0) / longestMs) * 200;
  return (
    <svg aria-hidden="true" viewBox="0 0 200 16" preserveAspectRatio="none" className="block h-4 w-full">
      <line x1="0" x2="0" y1="2" y2="14" className="stroke-line-strong" vectorEffect="non-scaling-stroke" />
      <rect x="0" y="7" width={x(queue.oldestMs)} height="2" className="fill-verdict-pending" />
      <rect x="0" y="5" width={x(queue.p90Ms)} height="6" className="fill-verdict-pending" />
      <rect x="0" y="2" width={x(queue.p50Ms)} height="12" className="fill-text" />
      {queue.oldestMs !== null && (
        <line
          x1={x(queue.oldestMs)}
          x2={x(queue.oldestMs)}
          y1="2"
          y2="14"
          className="stroke-text"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
