import clsx from 'clsx';
import { type Mark, Verdict } from '@/app/_ui/verdict.tsx';
import { countText, percentText } from './figures.ts';

export type Part = { readonly mark: Mark; readonly word: string; readonly count: number };

const FILL: Record<Mark, string> = {
  allow: 'bg-verdict-allow',
  review: 'bg-verdict-review',
  restrict: 'bg-verdict-restrict',
  failed: 'bg-verdict-failed',
  pending: 'bg-wash-pending',
};

/** Parts of a whole: one bar for the eye, and under it each part with its shape, word, count and share. */
export function StackedBar({ parts, whole, label }: { parts: readonly Part[]; whole: number; label: string }) {
  return (
    <figure className="flex flex-col gap-2">
      <div aria-hidden="true" className="flex h-3 gap-px overflow-hidden rounded-sm bg-wash-pending">
        {parts.map(({ mark, word, count }) => (
          // A part that is there is never too thin to be seen.
          <div
            key={word}
            className={clsx(FILL[mark], count > 0 && 'min-w-0.5')}
            style={{ width: `${whole === 0 ? 0 : (count / whole) * 100}%` }}
          />
        ))}
      </div>
      <figcaption className="sr-only">{label}</figcaption>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {parts.map(({ mark, word, count }) => (
          <li key={word} className="flex items-baseline gap-1.5">
            <Verdict mark={mark} word={word} />
            <span className="tabular-nums">{countText(count)}</span>
            <span className="text-muted">{percentText(count, whole)}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
