'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { counted } from '@/app/_manager/figures.ts';
import { Section } from '@/app/_manager/parts.tsx';
import { pauseSentence } from '@/app/_manager/words.ts';
import type { Json } from '@/app/_server/json.ts';
import { read } from '@/app/_ui/desk-api.ts';
import { Age } from '@/app/_ui/now.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { type Concern, concerns } from '@/lib/quality/concerns.ts';
import type { Operations } from '@/lib/quality/operations.db.ts';
import { OpenRuns } from './open-runs.tsx';
import { QueueAges } from './queue-ages.tsx';
import { Workers } from './workers.tsx';

type View = Json<Operations>;

const REFRESH_MS = 5_000;

/** What is wrong first, or that nothing is; then the queues of people, the runs and the workers. */
export function OperationsBoard({ initial }: { initial: View }) {
  const { data, error } = useQuery({
    queryKey: ['operations'],
    queryFn: () => read<View>('/api/desk/operations'),
    initialData: initial,
    refetchInterval: REFRESH_MS,
  });
  const found = concerns(data);
  return (
    <div className="flex flex-col gap-8">
      <div>
        <h1 className="text-title">Operations</h1>
        {found.length === 0 && !error && (
          <p role="status" className="text-read">
            Nothing is wrong, checked <Age at={data.countedAt} suffix=" ago" />.
          </p>
        )}
        {error && (
          <Notice kind="problem" title="This page could not be refreshed" className="mt-2">
            What you see is <Age at={data.countedAt} /> old. It is tried again every few seconds.
          </Notice>
        )}
        {found.map((one) => (
          <Wrong key={one.kind === 'run_paused' ? one.runId : one.kind} concern={one} />
        ))}
      </div>
      <Section
        id="queues"
        title="How long people's queues have waited"
        about="Ages of what waits now, by the database's clock. A percentile is the age of a case that is there: 9 in 10 cases are no older than p90. Bars are thick to p50, thinner to p90, a line to the oldest. In and out count every case that entered or left."
      >
        <QueueAges queues={data.queues} />
      </Section>
      <Section id="runs" title="Runs that are not at their end">
        <OpenRuns runs={data.runs} />
      </Section>
      <Section id="workers" title="Workers" about="Seen within 15 seconds, as the database knows it.">
        <Workers workers={data.workers} />
      </Section>
    </div>
  );
}

function Wrong({ concern }: { concern: Concern }) {
  if (concern.kind === 'no_worker') {
    return (
      <Notice kind="problem" title="No worker has been seen" className="mt-2">
        {counted(concern.items, 'item waits', 'items wait')} to be classified and nothing works on them. Start a worker:{' '}
        <span className="code">npm run worker</span>
      </Notice>
    );
  }
  return (
    <Notice kind="problem" title={`The run ${concern.name} stands still`} className="mt-2">
      {pauseSentence(concern.reason)}{' '}
      <Link className="link" href={`/runs/${concern.runId}`}>
        Open the run
      </Link>
    </Notice>
  );
}
