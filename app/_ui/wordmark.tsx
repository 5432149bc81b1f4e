import clsx from 'clsx';
import { Shape } from './verdict.tsx';

/** The name of the desk with its three verdicts: allow, review, restrict. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-2 font-semibold tracking-[-0.01em]', className)}>
      <span aria-hidden="true" className="inline-flex items-center gap-0.5">
        <Shape mark="allow" className="size-2!" />
        <Shape mark="review" className="size-2.5!" />
        <Shape mark="restrict" className="size-2!" />
      </span>
      Docket
    </span>
  );
}
