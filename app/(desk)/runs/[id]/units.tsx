'use client';

import clsx from 'clsx';
import { useId, useState } from 'react';
import { counted, countText, percentText } from '@/app/_manager/figures.ts';
import { Section } from '@/app/_manager/parts.tsx';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { useRunAct } from './use-run-act.ts';

const ABOUT =
  'A unit is a token that the classifier reports, or a byte sent where it reports none. Failed calls count too.';

/** What the run has used and may use, what is still to come, and what waits for money or for a switch. */
export function Units({ run, maySpend }: { run: RunJson; maySpend: boolean }) {
  return (
    <Section id="units" title="Units" about={ABOUT}>
      <UsedUnits run={run} />
      {run.canary?.open && <Canary run={run} />}
      {maySpend && run.state === 'waiting' && <Go run={run} />}
      {maySpend && run.state === 'paused' && run.pause_reason === 'ceiling' && <HigherCeiling run={run} />}
      <WaitingSources run={run} />
    </Section>
  );
}

function UsedUnits({ run }: { run: RunJson }) {
  const { units, ceiling_units: ceiling, reserved_units: reserved, overhead_share: overhead } = run;
  const price = run.price_per_million_units;
  return (
    <div className="flex flex-col gap-2">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Fact name="used">{countText(units)}</Fact>
        {reserved > 0 && <Fact name="set aside for calls under way">{countText(reserved)}</Fact>}
        <Fact name="ceiling">{ceiling === null ? 'none' : countText(ceiling)}</Fact>
        {overhead !== null && (
          <Fact name="of what was sent is instructions and context">{percentText(overhead, 1)}</Fact>
        )}
        {price !== null && <Fact name={`spent, at ${price} a million`}>{costText(units, price)}</Fact>}
      </dl>
      {ceiling !== null && <CeilingBar used={units} reserved={reserved} ceiling={ceiling} />}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="text-read font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

function CeilingBar({ used, reserved, ceiling }: { used: number; reserved: number; ceiling: number }) {
  const share = (part: number): string => `${Math.min(100, (part / ceiling) * 100)}%`;
  return (
    <>
      <progress
        className="sr-only"
        aria-label="Units used of the ceiling"
        value={Math.min(used, ceiling)}
        max={ceiling}
      />
      <div aria-hidden="true" className="flex h-1.5 gap-px overflow-hidden rounded-sm bg-wash-pending">
        <div className={clsx(used >= ceiling ? 'bg-verdict-restrict' : 'bg-text')} style={{ width: share(used) }} />
        <div className="bg-line-strong" style={{ width: share(reserved) }} />
      </div>
    </>
  );
}

/** The canary: how far it is, and what it says about the whole. */
function Canary({ run }: { run: RunJson }) {
  const { canary, projection, price_per_million_units: price } = run;
  if (canary === null) return null;
  if (projection === null) {
    return (
      <p className="text-muted">
        Canary: {countText(canary.ended)} of {counted(canary.items, 'item')} done. Nothing else is sent before it is
        over and somebody gives the go; what it decides has no effect until then.
      </p>
    );
  }
  const { units, low, high, measured, items, overhead_share: overhead } = projection;
  return (
    <div className="flex max-w-[80ch] flex-col gap-1">
      <p>
        The whole run will use about <strong className="tabular-nums">{countText(units)}</strong> units
        {low < high && (
          <>
            : between <strong className="tabular-nums">{countText(low)}</strong> and{' '}
            <strong className="tabular-nums">{countText(high)}</strong>, with 95% certainty
          </>
        )}
        .{price !== null && ` That is ${costText(low, price)} to ${costText(high, price)} at ${price} a million units.`}
      </p>
      <p className="text-muted">
        Measured on {counted(measured, 'item')} of {countText(items)}, drawn from every length that occurs.
        {overhead !== null && ` ${overheadSentence(overhead)}`} What the canary decided has no effect yet.
      </p>
    </div>
  );
}

function overheadSentence(share: number): string {
  if (share === 0) return 'Nothing but content is sent.';
  return `${percentText(share, 1)} of the bytes will be instructions and context, not content.`;
}

function costText(units: number, pricePerMillion: number): string {
  return ((units * pricePerMillion) / 1_000_000).toFixed(2);
}

/** @returns the whole number a person wrote, thousands set apart or not; null for anything else, undefined for nothing. */
function unitsWritten(text: string): number | null | undefined {
  const plain = text.replaceAll(/[\s,]/g, '');
  if (plain === '') return undefined;
  return /^[1-9][0-9]{0,12}$/.test(plain) ? Number(plain) : null;
}

function Go({ run }: { run: RunJson }) {
  const { busy, problem, send } = useRunAct(run.run);
  const [text, setText] = useState(String(run.ceiling_units ?? run.projection?.high ?? ''));
  const [acceptPause, setAcceptPause] = useState(false);
  const units = unitsWritten(text);
  const below = typeof units === 'number' && run.projection !== null && units < run.projection.high;
  return (
    <form
      className="flex max-w-[80ch] flex-col items-start gap-3 border-l-2 border-accent bg-sunken px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (units !== null) void send('go', { acceptPause, ...(units !== undefined && { ceilingUnits: units }) });
      }}
    >
      <p className="font-semibold">This run waits for a go</p>
      <UnitsField label="Ceiling in units, at which it pauses" text={text} onChange={setText} wrong={units === null} />
      {below && (
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1"
            checked={acceptPause}
            onChange={(event) => setAcceptPause(event.target.checked)}
          />
          <span>It may pause on the way: the ceiling is below what the run will probably use.</span>
        </label>
      )}
      <Button type="submit" kind="primary" disabled={busy || units === null || (below && !acceptPause)}>
        Give the go
      </Button>
      <Refused problem={problem} />
    </form>
  );
}

function HigherCeiling({ run }: { run: RunJson }) {
  const { busy, problem, send } = useRunAct(run.run);
  const [text, setText] = useState('');
  const units = unitsWritten(text);
  const least = Math.max(run.ceiling_units ?? 0, run.units);
  const enough = typeof units === 'number' && units > least;
  return (
    <form
      className="flex max-w-[80ch] flex-col items-start gap-3 border-l-2 border-accent bg-sunken px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (enough) void send('resume', { ceilingUnits: units });
      }}
    >
      <p className="font-semibold">This run stands at its ceiling</p>
      <UnitsField
        label={`A higher ceiling in units, above ${countText(least)}`}
        text={text}
        onChange={setText}
        wrong={units === null}
      />
      <Button type="submit" kind="primary" disabled={busy || !enough}>
        Go on with this ceiling
      </Button>
      <Refused problem={problem} />
    </form>
  );
}

type UnitsFieldProps = { label: string; text: string; onChange: (text: string) => void; wrong: boolean };

function UnitsField({ label, text, onChange, wrong }: UnitsFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="field w-56 tabular-nums"
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        value={text}
        aria-invalid={wrong}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {wrong && (
        <p id={`${id}-wrong`} className="text-small text-verdict-restrict">
          Write a whole number of units.
        </p>
      )}
    </div>
  );
}

function Refused({ problem }: { problem: { title: string; detail: string } | null }) {
  if (!problem) return null;
  return (
    <Notice kind="problem" title={problem.title}>
      {problem.detail}
    </Notice>
  );
}

/** Sources that stand still while others go on. */
function WaitingSources({ run }: { run: RunJson }) {
  if (run.waiting_sources.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {run.waiting_sources.map(({ source, why, items, until }) => (
        <li key={`${source} ${why}`}>
          <span className="font-medium">{source}</span>{' '}
          <span className="text-muted">
            waits with {counted(items, 'item')}:{' '}
            {why === 'paused'
              ? 'its classifying is paused, until somebody resumes it.'
              : `the cap for today is reached; it goes on ${until?.slice(0, 16).replace('T', ' ')} UTC or with a higher cap.`}
          </span>
        </li>
      ))}
    </ul>
  );
}
