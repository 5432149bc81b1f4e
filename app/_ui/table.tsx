'use client';

import clsx from 'clsx';
import Link from 'next/link';
import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from 'react';
import { useShortcut } from './keyboard.tsx';

/** Dense tables: rows of 32 px under a head that stays. On a small screen each row becomes a few lines of its own. */
export function Table({ children }: { children: ReactNode }) {
  return <table className="w-full table-fixed border-separate border-spacing-0 max-md:block">{children}</table>;
}

export function Head({ className, ...rest }: ThHTMLAttributes<HTMLTableCellElement>) {
  return (
    <th
      scope="col"
      className={clsx(
        'sticky top-11 z-10 border-b border-line-strong bg-surface px-2 text-left text-small text-muted',
        className,
      )}
      {...rest}
    />
  );
}

/** A row that opens by the RowLink in it, wherever it is pressed. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <tr className="relative hover:bg-sunken has-[a:focus-visible]:bg-sunken has-[a:focus-visible]:outline-2 has-[a:focus-visible]:-outline-offset-2 has-[a:focus-visible]:outline-accent max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:border-b max-md:border-line max-md:py-2">
      {children}
    </tr>
  );
}

/** The link of a row; it covers the row, and j and k go from one to the next. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} data-row-link className="outline-none after:absolute after:inset-0">
      {children}
    </Link>
  );
}

/** The keys j and k: they move the focus itself, so that Enter opens and a screen reader reads the row. */
export function useRowKeys(): void {
  useShortcut('j', 'Next row', () => focusRow(1));
  useShortcut('k', 'Row before', () => focusRow(-1));
}

function focusRow(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('[data-row-link]')];
  const at = links.findIndex((link) => link.matches(':focus'));
  const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' });
}

export function Cell({ className, ...rest }: TdHTMLAttributes<HTMLTableCellElement>) {
  return (
    <td
      className={clsx(
        'h-8 border-b border-line px-2 py-1 align-middle max-md:h-auto max-md:border-0 max-md:p-0',
        className,
      )}
      {...rest}
    />
  );
}
