'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { counted, countText } from '@/app/_manager/figures.ts';
import { Section } from '@/app/_manager/parts.tsx';
import { paceWords } from '@/app/_manager/words.ts';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { read } from '@/app/_ui/desk-api.ts';
import { Notice } from '@/app/_ui/states.tsx';
import type { RunSignals } from '@/lib/work/signals.db.ts';
import { useRunAct } from './use-run-act.ts';

const BOUND = { min: 1, max: 512 };

/** How fast the workers go, why, and the bound they stay within. */
export function Pace({ run, maySpend }: { run: RunJson; maySpend: boolean }) {
  const ended = run.state === 'complete' || run.state === 'cancelled';
  if (ended) return null;
  return (
    <Section
      id="pace"
      title="Pace"
      about={`Each worker makes at most ${counted(run.concurrency, 'call')} at a time, and fewer by itself where the service does not bear it.`}
    >
      {run.pace.length === 0 ? (
        <p className="text-muted">No worker has this run in hand at present.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {run.pace.map(({ slot, atOnce, why }) => (
            <li key={slot}>
              <span className="font-medium tabular-nums">
                Worker {slot}: {counted(atOnce, 'call')} at a time
              </span>
              <span className="text-muted">, because {paceWords(why)}.</span>
            </li>
          ))}
        </ul>
      )}
      {maySpend && <Bound run={run} />}
    </Section>
  );
}

/** Two steps: the signals first, then the number. Going slower needs no second look. */
function Bound({ run }: { run: RunJson }) {
  const [open, setOpen] = useState(false);
  if (!open) {
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        Change the bound
      </Button>
    );
  }
  return <BoundForm run={run} onClose={() => setOpen(false)} />;
}

function BoundForm({ run, onClose }: { run: RunJson; onClose: () => void }) {
  const id = useId();
  const { busy, problem, send } = useRunAct(run.run);
  const [text, setText] = useState(String(run.concurrency));
  const [sure, setSure] = useState(false);
  const asked = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN;
  const valid = asked >= BOUND.min && asked <= BOUND.max && asked !== run.concurrency;
  const raises = valid && asked > run.concurrency;
  const press = async () => {
    if (raises && !sure) setSure(true);
    else if (await send('concurrency', { concurrency: asked })) onClose();
  };
  return (
    <form
      className="flex max-w-[80ch] flex-col items-start gap-3 border-l-2 border-accent bg-sunken px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) void press();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Signals runId={run.run} />
      <div className="flex flex-col gap-1">
        <label className="label" htmlFor={id}>
          Calls at a time in each worker, {BOUND.min} to {BOUND.max}
        </label>
        <input
          id={id}
          className="field w-28 tabular-nums"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          // biome-ignore lint/a11y/noAutofocus: the field was asked for just now by the button it replaces
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSure(false);
          }}
        />
      </div>
      {raises && sure && (
        <p role="status">
          From {run.concurrency} to {asked}: the service, and people in the queue, get up to{' '}
          {(asked / run.concurrency).toFixed(1)} times as much at once. Press again to do it.
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={busy || !valid}>
          {raises && sure ? `Yes, raise it to ${asked}` : raises ? 'Raise it' : 'Set it'}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Leave it
        </Button>
      </div>
      {problem && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
    </form>
  );
}

function Signals({ runId }: { runId: string }) {
  const { data, error } = useQuery({
    queryKey: ['run', runId, 'signals'],
    queryFn: () => read<RunSignals>(`/api/desk/runs/${runId}/signals`),
  });
  if (error) {
    return (
      <Notice kind="problem" title="The signals could not be read">
        Without them it is better not to go faster.
      </Notice>
    );
  }
  if (!data) return <p className="text-muted">Reading how the latest items went…</p>;
  if (data.items === 0) return <p className="text-muted">Nothing has been called yet: there is nothing to go by.</p>;
  const facts = [
    ['latency in the middle', msText(data.p50Ms)],
    ['latency at 95%', msText(data.p95Ms)],
    ['attempts that were retries', shareText(data.retryRate)],
    ['answers that were no good', shareText(data.invalidRate)],
    ['decisions that go to people', shareText(data.reviewRate)],
    ['units an item', data.unitsPerItem === null ? 'unknown' : data.unitsPerItem.toFixed(1)],
  ] as const;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">How the latest {countText(data.items)} items went:</p>
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function msText(value: number | null): string {
  return value === null ? 'unknown' : `${countText(value)} ms`;
}

function shareText(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(1)}%`;
}
