import clsx from 'clsx';

/** The verdicts of the desk, and the two states that are none. */
export type Mark = 'allow' | 'review' | 'restrict' | 'failed' | 'pending';

const INK: Record<Mark, string> = {
  allow: 'text-verdict-allow',
  review: 'text-verdict-review',
  restrict: 'text-verdict-restrict',
  failed: 'text-verdict-failed',
  pending: 'text-verdict-pending',
};

/** Filled shapes that differ in outline, so that they stay apart in grey and at 10 px; pending is the hollow one. */
export function Shape({ mark, className }: { mark: Mark; className?: string }) {
  return (
    <svg
      viewBox="0 0 12 12"
      aria-hidden="true"
      className={clsx('inline-block size-2.5 shrink-0', INK[mark], className)}
    >
      {mark === 'allow' && <circle cx="6" cy="6" r="5" fill="currentColor" />}
      {mark === 'review' && <path d="M6 0 12 6 6 12 0 6Z" fill="currentColor" />}
      {mark === 'restrict' && <path d="M1 1H11V11H1Z" fill="currentColor" />}
      {mark === 'failed' && <path d="M6 0.5 12 11.5H0Z" fill="currentColor" />}
      {mark === 'pending' && <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.6" />}
    </svg>
  );
}

/** A verdict as colour, shape and word, which never stand without each other. */
export function Verdict({ mark, word, className }: { mark: Mark; word?: string; className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-1.5 font-medium whitespace-nowrap', INK[mark], className)}>
      <Shape mark={mark} />
      {word ?? mark}
    </span>
  );
}
