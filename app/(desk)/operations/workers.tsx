import { Figure, FigureHead } from '@/app/_manager/parts.tsx';
import type { Json } from '@/app/_server/json.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Empty } from '@/app/_ui/states.tsx';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import type { AliveWorker } from '@/lib/work/workers.db.ts';

export function Workers({ workers }: { workers: readonly Json<AliveWorker>[] }) {
  if (workers.length === 0) {
    return (
      <Empty title="None is there">
        Without one nothing is classified. Start one: <span className="code">npm run worker</span>
      </Empty>
    );
  }
  return (
    <div className="max-w-2xl">
      <Table>
        <thead className="max-md:hidden">
          <tr className="h-8">
            <Head>Worker</Head>
            <Head className="w-28">Version</Head>
            <FigureHead className="w-32">Started</FigureHead>
            <FigureHead className="w-32">Last seen</FigureHead>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {workers.map((worker) => (
            <Row key={worker.id}>
              <Cell className="max-md:w-full">
                slot {worker.slot} <span className="code text-muted">{worker.id.slice(0, 8)}</span>
              </Cell>
              <Cell className="text-muted">{worker.version}</Cell>
              <Figure name="started">
                <Age at={worker.startedAt} suffix=" ago" />
              </Figure>
              <Figure name="last seen">
                <Age at={worker.lastSeenAt} suffix=" ago" />
              </Figure>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
