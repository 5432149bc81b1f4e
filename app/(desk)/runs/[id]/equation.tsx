'use client';

import clsx from 'clsx';
import type { ReactNode } from 'react';
import { counted, countText } from '@/app/_manager/figures.ts';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Shape } from '@/app/_ui/verdict.tsx';

/** revisions = decisions + exceptions + pending: the run in one line, which closes or says that it does not. */
export function Equation({ run }: { run: RunJson }) {
  const closes = run.revisions === run.decisions + run.exceptions + run.pending;
  const leased = run.by.reduce((sum, slice) => sum + slice.leased, 0);
  return (
    <div className="flex flex-col gap-3 border-y border-line py-4">
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3 max-md:gap-x-4">
        <Term href="#reconciliation" count={run.revisions} name="revisions" />
        <Term sign="=" href="#decisions" count={run.decisions} name="decisions">
          {run.deduplicated > 0 && `${countText(run.deduplicated)} deduplicated`}
        </Term>
        <Term
          sign="+"
          href="#exceptions"
          count={run.exceptions}
          name="exceptions"
          mark={run.exceptions > 0 ? 'failed' : undefined}
        />
        <Term sign="+" href="#reconciliation" count={run.pending} name="pending">
          {leased > 0 && `${countText(leased)} being worked on`}
        </Term>
      </div>
      <progress
        className="sr-only"
        aria-label="Revisions that are done"
        value={run.revisions - run.pending}
        max={Math.max(1, run.revisions)}
      />
      <div aria-hidden="true" className="flex h-1.5 gap-px overflow-hidden rounded-sm bg-wash-pending">
        <div className="bg-text" style={{ width: `${share(run.decisions, run)}%` }} />
        <div className="bg-verdict-failed" style={{ width: `${share(run.exceptions, run)}%` }} />
      </div>
      <p role="status" className={clsx(!closes && 'font-semibold text-verdict-restrict')}>
        {sentence(run, closes)}
      </p>
    </div>
  );
}

function sentence(run: RunJson, closes: boolean): string {
  if (!closes) {
    // A flush between two of the counts is possible while the run works; once it stands still it would be a fault.
    return run.state === 'running'
      ? 'The counts were taken while the run was working; they are taken again.'
      : 'The arithmetic does not close. The table below says where.';
  }
  if (run.pending > 0) return `The arithmetic closes, with ${counted(run.pending, 'item')} still open.`;
  return 'The arithmetic closes. Every revision ended in a decision or a named exception.';
}

function share(part: number, run: RunJson): number {
  return run.revisions === 0 ? 0 : (part / run.revisions) * 100;
}

type TermProps = {
  sign?: '=' | '+';
  href: string;
  count: number;
  name: string;
  mark?: 'failed';
  children?: ReactNode;
};

/** A term with the sign before it, which it takes along to the next line. */
function Term({ sign, href, count, name, mark, children }: TermProps) {
  const size = 'text-[26px] leading-8 max-md:text-[20px] max-md:leading-7';
  return (
    <div className="flex gap-x-6 max-md:gap-x-4">
      {sign && <span className={clsx(size, 'text-muted')}>{sign}</span>}
      <div>
        <a href={href} className="group block">
          <span className={clsx(size, 'block font-semibold tabular-nums group-hover:underline')}>
            {countText(count)}
          </span>
          <span className="flex items-center gap-1 text-muted">
            {mark && <Shape mark={mark} />}
            {name}
          </span>
        </a>
        {children && <span className="text-small text-muted">{children}</span>}
      </div>
    </div>
  );
}
