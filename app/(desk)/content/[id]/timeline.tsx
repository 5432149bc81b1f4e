'use client';

import clsx from 'clsx';
import { type Entry, lineOf } from '@/app/_review/timeline-words.ts';
import { Age } from '@/app/_ui/now.tsx';
import { StrangerText } from '@/app/_ui/stranger-text.tsx';
import { Shape } from '@/app/_ui/verdict.tsx';

/** All that happened, newest first: what people wrote beside what they did, and what only kept the work going in grey. */
export function Timeline({ entries }: { entries: readonly Entry[] }) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline" className="label">
        Timeline, newest first
      </h2>
      <ol className="mt-2 border-l border-line">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew from the server and never reordered
          <Item key={index} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Item({ entry }: { entry: Entry }) {
  const { mark, sentence, detail, quiet } = lineOf(entry);
  const note = 'note' in entry ? entry.note : null;
  return (
    <li className={clsx('relative pb-3 pl-4', quiet && 'text-muted')}>
      <span className="absolute top-[5px] -left-[5px] bg-surface">
        {mark ? (
          <Shape mark={mark} />
        ) : (
          <span className="block size-2.5 rounded-full border border-line-strong bg-surface" />
        )}
      </span>
      <p className="flex items-baseline justify-between gap-3">
        <span className={clsx('min-w-0', !quiet && 'font-medium')}>{sentence}</span>
        <span className="shrink-0 text-small text-muted">
          <Age at={entry.at} suffix=" ago" />
        </span>
      </p>
      {detail && <p className="text-small break-words text-muted">{detail}</p>}
      {note && (
        <p className="mt-0.5 border-l-2 border-line pl-2">
          <StrangerText text={note} />
        </p>
      )}
    </li>
  );
}
