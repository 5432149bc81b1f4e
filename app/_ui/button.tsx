import clsx from 'clsx';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

/** The letter that presses a control, printed on it. Not read out: the control's own name says what it does. */
export function Key({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'inline-grid h-4 min-w-4 place-items-center rounded-sm border border-line bg-sunken px-1 font-sans text-[11px] leading-none text-muted max-md:hidden',
        className,
      )}
    >
      {children}
    </span>
  );
}

const KINDS = {
  primary: 'border-accent bg-accent text-on-accent hover:brightness-110',
  plain: 'border-line-strong bg-raised text-text hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-text hover:bg-sunken',
  allow: 'border-line-strong bg-raised text-verdict-allow hover:bg-wash-allow hover:border-verdict-allow',
  restrict: 'border-line-strong bg-raised text-verdict-restrict hover:bg-wash-restrict hover:border-verdict-restrict',
} as const;

export type ButtonKind = keyof typeof KINDS;

/** The look of a button, for links that act like one too. 32 px high, 44 where fingers press it. */
export function buttonClass(kind: ButtonKind = 'plain', className?: string): string {
  return clsx(
    'inline-flex h-8 items-center justify-center gap-2 rounded-md border px-3 text-ui font-medium whitespace-nowrap select-none max-md:h-11',
    'motion-safe:transition-colors disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55',
    KINDS[kind],
    className,
  );
}

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { kind?: ButtonKind; hint?: string };

/** @param hint the key that presses it, printed on it. */
export function Button({ kind, hint, className, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={buttonClass(kind, className)} aria-keyshortcuts={hint} {...rest}>
      {hint && <Key>{hint === 'Enter' ? '↵' : hint.toUpperCase()}</Key>}
      {children}
    </button>
  );
}
