import { countText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead } from '@/app/_manager/parts.tsx';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import type { Agreement as Counted } from '@/lib/quality/quality.db.ts';

const MACHINE = ['allow', 'review', 'restrict'] as const;

/** The machine's verdicts down, people's across; what nobody has reviewed stands in a column of its own. */
export function Agreement({ agreement }: { agreement: readonly Counted[] }) {
  const of = (machine: Counted['machine'], person: Counted['person']) =>
    agreement.find((one) => one.machine === machine && one.person === person)?.count ?? 0;
  return (
    <div className="max-w-3xl">
      <Table>
        <thead className="max-md:hidden">
          <tr className="h-8">
            <Head>The machine said</Head>
            <FigureHead className="w-32">A person: allow</FigureHead>
            <FigureHead className="w-36">A person: restrict</FigureHead>
            <FigureHead className="w-36">Not reviewed</FigureHead>
            <FigureHead className="w-28">Decisions</FigureHead>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {MACHINE.map((machine) => {
            const counts = [of(machine, 'allow'), of(machine, 'restrict'), of(machine, null)] as const;
            return (
              <Row key={machine}>
                <Cell className="max-md:w-full">
                  <Verdict mark={machine} />
                </Cell>
                <Figure name="allow">{countText(counts[0])}</Figure>
                <Figure name="restrict">{countText(counts[1])}</Figure>
                <Figure name="not reviewed" className="text-muted">
                  {countText(counts[2])}
                </Figure>
                <Figure name="decisions">{countText(counts[0] + counts[1] + counts[2])}</Figure>
              </Row>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}
