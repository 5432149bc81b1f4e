import Link from 'next/link';
import type { ReactNode } from 'react';
import { Wordmark } from './wordmark.tsx';

/** A page that has one thing to say: what happened, and the way on. */
export function PlainPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex max-w-md flex-col gap-3 px-4 py-16">
      <Link href="/">
        <Wordmark />
      </Link>
      <h1 className="text-title">{title}</h1>
      <div className="text-muted">{children}</div>
      <p>
        <Link className="link" href="/">
          To your start page
        </Link>
      </p>
    </main>
  );
}
