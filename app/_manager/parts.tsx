import clsx from 'clsx';
import type { ReactNode, TdHTMLAttributes } from 'react';
import { Cell, Head } from '@/app/_ui/table.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';

/** A part of a manager's page, with a heading one can link to. */
export function Section({
  id,
  title,
  about,
  children,
}: {
  id: string;
  title: string;
  about?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-2">
      <div>
        <h2 id={`${id}-title`} className="text-read">
          {/* The header of the page stays in view; a link to here must not end under it. */}
          <span id={id} className="scroll-mt-16">
            {title}
          </span>
        </h2>
        {about && <p className="max-w-[80ch] text-muted">{about}</p>}
      </div>
      {children}
    </section>
  );
}

/** A head over figures. */
export function FigureHead({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) {
  return <Head className={clsx('text-right', className)} {...rest} />;
}

/** A figure in a table. On a small screen, where a row becomes lines, it brings its name along. */
export function Figure({
  name,
  className,
  children,
  ...rest
}: TdHTMLAttributes<HTMLTableCellElement> & { name: string }) {
  return (
    <Cell className={clsx('text-right tabular-nums', className)} {...rest}>
      <span aria-hidden="true" className="text-small text-muted md:hidden">
        {name}{' '}
      </span>
      {children}
    </Cell>
  );
}

/** How far something has come. Only what is open has a mark: shapes and colours are the verdicts', not for good and bad. */
export function Stage({ word, open, className }: { word: string; open: boolean; className?: string }) {
  if (open) return <Verdict mark="pending" word={word} className={className} />;
  return <span className={clsx('font-medium whitespace-nowrap', className)}>{word}</span>;
}
