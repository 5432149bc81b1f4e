'use client';

import Link from 'next/link';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

type Announcement = { readonly words: string; readonly href: string | null; readonly number: number };
type Announce = (words: string, href?: string) => void;

const AnnounceContext = createContext<Announce | null>(null);
const SHOWN_MS = 8_000;

/** Says what was just done, over the change of page that follows; read out, and gone after a while. */
export function AnnounceProvider({ children }: { children: ReactNode }) {
  const [last, setLast] = useState<Announcement | null>(null);
  const announce = useCallback<Announce>(
    (words, href) => setLast((before) => ({ words, href: href ?? null, number: (before?.number ?? 0) + 1 })),
    [],
  );
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" className="fixed bottom-4 left-4 z-20 max-md:bottom-18">
        {last && (
          <p className="flex gap-3 rounded-md border border-line-strong bg-raised px-3 py-2 shadow-float">
            {last.words}
            {last.href && (
              <Link className="link" href={last.href}>
                Timeline
              </Link>
            )}
          </p>
        )}
      </div>
    </AnnounceContext>
  );
}

/** @throws outside of AnnounceProvider. */
export function useAnnounce(): Announce {
  const announce = useContext(AnnounceContext);
  if (!announce) throw new Error('no AnnounceProvider above');
  return announce;
}
