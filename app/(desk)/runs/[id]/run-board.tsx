'use client';

import { useQuery } from '@tanstack/react-query';
import { counted, durationText } from '@/app/_manager/figures.ts';
import { Section, Stage } from '@/app/_manager/parts.tsx';
import { StackedBar } from '@/app/_manager/stacked-bar.tsx';
import { modeWords, pauseSentence } from '@/app/_manager/words.ts';
import type { ReconciliationJson } from '@/app/_server/reconciliation-json.ts';
import type { RunJson } from '@/app/_server/run-json.ts';
import { read } from '@/app/_ui/desk-api.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { Equation } from './equation.tsx';
import { Exceptions } from './exceptions.tsx';
import { Pace } from './pace.tsx';
import { Reconciliation } from './reconciliation.tsx';
import { RunControls } from './run-controls.tsx';
import { Units } from './units.tsx';

const WORKING_MS = 2_000;
/** A large run is counted row by row, too, so it is asked for less often. */
const LARGE_REVISIONS = 200_000;
const LARGE_MS = 10_000;
const STILL_MS = 15_000;

type BoardProps = {
  initial: RunJson;
  reconciliation: ReconciliationJson;
  mayControl: boolean;
  maySpend: boolean;
};

export function RunBoard({ initial, reconciliation, mayControl, maySpend }: BoardProps) {
  const { data: run, error } = useQuery({
    queryKey: ['run', initial.run],
    queryFn: () => read<RunJson>(`/api/desk/runs/${initial.run}`),
    initialData: initial,
    refetchInterval: ({ state }) => intervalOf(state.data ?? initial),
  });
  return (
    <div className="flex flex-col gap-8">
      <RunHead run={run} mayControl={mayControl} />
      {error && (
        <Notice kind="problem" title="This run could not be refreshed">
          What you see may be old. It is tried again every few seconds.
        </Notice>
      )}
      {run.pause_reason !== null && run.pause_reason !== 'operator' && (
        <Notice kind="problem" title="This run stands still">
          {pauseSentence(run.pause_reason)} Nothing is lost: what was not sent stays pending, and the run goes on when
          it is resumed{run.pause_reason === 'ceiling' && ' with a higher ceiling'}.
        </Notice>
      )}
      <Equation run={run} />
      <Units run={run} maySpend={maySpend} />
      <Pace run={run} maySpend={maySpend} />
      <Section id="decisions" title="What the machine decided">
        <Verdicts run={run} />
      </Section>
      <Reconciliation run={run} initial={reconciliation} />
      <Exceptions run={run} />
      <Bundles run={run} />
    </div>
  );
}

function intervalOf(run: RunJson): number {
  if (run.state !== 'running') return STILL_MS;
  return run.revisions > LARGE_REVISIONS ? LARGE_MS : WORKING_MS;
}

function RunHead({ run, mayControl }: { run: RunJson; mayControl: boolean }) {
  const took = run.ended_at === null ? null : Date.parse(run.ended_at) - Date.parse(run.created_at);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1">
        <p className="label">Run</p>
        <h1 className="text-title [overflow-wrap:anywhere]">{run.name}</h1>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 text-muted">
          <Stage word={run.state} open={run.ended_at === null} className="text-text" />
          <span>{modeWords(run.mode)}</span>
          <span>{run.policy_version}</span>
          <span>snapshot {run.snapshot}</span>
          <span>
            {run.classifier}, {counted(run.concurrency, 'call')} at a time
          </span>
          <span>
            started <Age at={run.created_at} suffix=" ago" />
          </span>
          {took !== null && <span>took {durationText(took)}</span>}
          <span>{counted(run.attempts, 'attempt')}</span>
        </p>
        {run.state === 'paused' && run.pause_reason === 'operator' && (
          <p className="mt-1 text-muted">Paused by hand. What was not sent stays pending.</p>
        )}
        {run.not_before !== null &&
          run.state === 'running' &&
          Date.parse(run.not_before) > Date.parse(run.countedAt) && (
            <p className="mt-1 text-muted">
              It waits on purpose until {run.not_before.slice(0, 16).replace('T', ' ')} UTC.
            </p>
          )}
      </div>
      {mayControl && <RunControls run={run} />}
    </div>
  );
}

function Verdicts({ run }: { run: RunJson }) {
  const sum = (term: 'allow' | 'review' | 'restrict') => run.by.reduce((total, slice) => total + slice[term], 0);
  const parts = [
    { mark: 'allow', word: 'allow', count: sum('allow') },
    { mark: 'review', word: 'review', count: sum('review') },
    { mark: 'restrict', word: 'restrict', count: sum('restrict') },
  ] as const;
  return (
    <StackedBar
      parts={parts}
      whole={run.decisions}
      label={`Of ${counted(run.decisions, 'decision')}, the machine's verdicts.`}
    />
  );
}

function Bundles({ run }: { run: RunJson }) {
  const done = run.pending === 0;
  return (
    <Section
      id="export"
      title="Export"
      about={
        done
          ? 'This run can be exported: every revision ended in a decision or a named exception. Open cases do not stand in the way.'
          : `This run cannot be exported yet: ${counted(run.pending, 'item')} still pending.`
      }
    >
      {done && (
        <p className="code overflow-x-auto border-l-2 border-line-strong bg-sunken px-3 py-2">
          npm run docket -- export {run.run} --out FOLDER
        </p>
      )}
    </Section>
  );
}
