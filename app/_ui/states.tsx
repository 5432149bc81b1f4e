import clsx from 'clsx';
import type { ReactNode } from 'react';

/** What would be here, and what to do now that it is not. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="max-w-prose border-l-2 border-line-strong py-1 pl-4">
      <p className="font-semibold">{title}</p>
      <div className="mt-1 text-muted">{children}</div>
    </div>
  );
}

type NoticeProps = { kind?: 'info' | 'problem'; title: string; children?: ReactNode; className?: string };

/** Says what happened and what now. A problem is read out at once, anything else when there is a pause. */
export function Notice({ kind = 'info', title, children, className }: NoticeProps) {
  return (
    <div
      role={kind === 'problem' ? 'alert' : 'status'}
      className={clsx(
        'border-l-2 px-3 py-2',
        kind === 'problem' ? 'border-verdict-restrict bg-wash-restrict' : 'border-accent bg-sunken',
        className,
      )}
    >
      <p className="font-semibold">{title}</p>
      {children && <div className="mt-0.5">{children}</div>}
    </div>
  );
}
