'use client';

import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { ageText, instantText } from './age.ts';

const TICK_MS = 5_000;
const NowContext = createContext(0);

/**
 * The present instant for ages on screen, by the server's clock: a reviewer's clock that is wrong makes no age wrong.
 * @param serverNow milliseconds since 1970 when the page was made.
 */
export function NowProvider({ serverNow, children }: { serverNow: number; children: ReactNode }) {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const offset = serverNow - Date.now();
    const tick = setInterval(() => setNow(Date.now() + offset), TICK_MS);
    return () => clearInterval(tick);
  }, [serverNow]);
  return <NowContext value={now}>{children}</NowContext>;
}

/** How old something is, with its instant on hover and for machines. */
export function Age({ at, suffix = '' }: { at: string; suffix?: string }) {
  const now = useContext(NowContext);
  return (
    <time dateTime={at} title={instantText(at)} className="whitespace-nowrap">
      {ageText(now - Date.parse(at))}
      {suffix}
    </time>
  );
}
