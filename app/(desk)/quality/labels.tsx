import clsx from 'clsx';
import { counted, countText, intervalText, percentText, rateText } from '@/app/_manager/figures.ts';
import { Figure, FigureHead } from '@/app/_manager/parts.tsx';
import type { Json } from '@/app/_server/json.ts';
import { Cell, Head, Row, Table } from '@/app/_ui/table.tsx';
import { type Rate, rate, tooFew } from '@/lib/quality/precision.ts';
import type { LabelQuality, VersionQuality } from '@/lib/quality/quality.db.ts';

type Line = { policyVersion: string; label: Json<LabelQuality>; first: boolean };

/** A row per label and policy version; the interval is drawn, and stands beside as figures. */
export function Labels({ versions }: { versions: readonly Json<VersionQuality>[] }) {
  return (
    <Table>
      <thead className="max-md:hidden">
        <tr className="h-8">
          <Head>Label</Head>
          <Head className="w-24">Policy</Head>
          <FigureHead className="w-20">Precision</FigureHead>
          <FigureHead className="w-28">95% interval</FigureHead>
          <Head className="w-40 xl:w-60">
            <Scale />
          </Head>
          <FigureHead className="w-24">Named of n</FigureHead>
          <FigureHead className="w-40">Reviewed of flagged</FigureHead>
          <FigureHead className="w-40 xl:w-64">Its own proposals</FigureHead>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {linesOf(versions).map((line) => (
          <LabelRow key={`${line.label.label} ${line.policyVersion}`} line={line} />
        ))}
      </tbody>
    </Table>
  );
}

/** Versions of one label stand under each other; labels in the order of the newest version. */
function linesOf(versions: readonly Json<VersionQuality>[]): Line[] {
  const names = [...new Set(versions.flatMap((version) => version.labels.map((one) => one.label)))];
  return names.flatMap((name) =>
    versions
      .flatMap((version) => {
        const label = version.labels.find((one) => one.label === name);
        return label ? [{ policyVersion: version.policyVersion, label }] : [];
      })
      .map((line, index) => ({ ...line, first: index === 0 })),
  );
}

function LabelRow({ line: { policyVersion, label, first } }: { line: Line }) {
  const precision = rate(label.named, label.reviewed);
  return (
    <Row>
      <Cell className="max-md:w-full">
        <span className={clsx('font-medium', !first && 'md:text-muted')}>{label.label}</span>
        <span className="block text-small text-muted">{marksOf(label).join(' · ')}</span>
      </Cell>
      <Cell className="truncate text-muted" title={`${policyVersion}, review at ${label.reviewAt}`}>
        {policyVersion}
      </Cell>
      <Figure name="precision" className={tooFew(precision) ? 'text-muted' : 'font-semibold'}>
        {rateText(precision)}
        {precision.n > 0 && tooFew(precision) && <span className="sr-only">, too few to say</span>}
      </Figure>
      <Figure name="interval" className="text-muted">
        {intervalText(precision)}
      </Figure>
      <Cell className="max-md:order-9 max-md:w-full">
        <Interval rate={precision} />
      </Cell>
      <Figure name="named of n">
        {countText(precision.k)} of {countText(precision.n)}
      </Figure>
      <Figure name="reviewed">
        {countText(label.reviewed)} of {countText(label.flagged)}
        <span className="text-muted"> · {percentText(label.reviewed, label.flagged)}</span>
      </Figure>
      <Figure name="proposals" className="whitespace-normal">
        {proposalsText(label.proposals)}
      </Figure>
    </Row>
  );
}

function marksOf({ highImpact, support }: Json<LabelQuality>): string[] {
  return [...(highImpact ? ['high impact'] : []), ...(support === 'low' ? ['little training data'] : [])];
}

function proposalsText({ approved, rejected, waiting, withdrawn }: LabelQuality['proposals']): string {
  const parts = [
    `${countText(approved)} approved`,
    `${countText(rejected)} rejected`,
    ...(waiting > 0 ? [`${countText(waiting)} waiting`] : []),
    ...(withdrawn > 0 ? [`${countText(withdrawn)} withdrawn`] : []),
  ];
  return approved + rejected + waiting + withdrawn === 0 ? 'none' : parts.join(', ');
}

/** The head of the chart is its axis, from 0 to 1. */
function Scale() {
  return (
    <span className="flex justify-between font-normal tabular-nums">
      <span className="sr-only">Interval drawn</span>
      <span aria-hidden="true">0</span>
      <span aria-hidden="true">0.5</span>
      <span aria-hidden="true">1</span>
    </span>
  );
}

/** The interval as a bar and the share as a line across it; dashed where it rests on too few. Nothing where n is 0. */
function Interval({ rate: one }: { rate: Rate }) {
  const words =
    one.value === null ? 'No interval: nothing was reviewed' : `${intervalText(one)}, from ${counted(one.n, 'review')}`;
  return (
    <svg role="img" aria-label={words} viewBox="0 0 200 16" preserveAspectRatio="none" className="block h-4 w-full">
      <line x1="0" x2="200" y1="8" y2="8" className="stroke-line" vectorEffect="non-scaling-stroke" />
      {[0, 100, 200].map((x) => (
        <line key={x} x1={x} x2={x} y1="3" y2="13" className="stroke-line-strong" vectorEffect="non-scaling-stroke" />
      ))}
      {one.value !== null && one.low !== null && one.high !== null && (
        <>
          <line
            x1={one.low * 200}
            x2={one.high * 200}
            y1="8"
            y2="8"
            className="stroke-verdict-pending"
            strokeWidth="5"
            strokeDasharray={tooFew(one) ? '3 2' : undefined}
            vectorEffect="non-scaling-stroke"
          />
          <line
            x1={one.value * 200}
            x2={one.value * 200}
            y1="1"
            y2="15"
            className="stroke-text"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
          />
        </>
      )}
    </svg>
  );
}
