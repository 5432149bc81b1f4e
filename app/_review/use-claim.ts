'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { dropToken, keepToken, keptToken } from '../_ui/claims-store.ts';
import { type Answer, act, type Problem } from '../_ui/desk-api.ts';

/** The hold of this tab on the case that is open. */
export type Hold =
  /** Before the tab has looked at what it kept: nothing is said yet, so that nothing wrong is said. */
  | { readonly state: 'unknown' }
  | { readonly state: 'none' }
  | { readonly state: 'claiming' }
  | { readonly state: 'held'; readonly token: string; readonly expiresAt: number }
  | { readonly state: 'lost'; readonly problem: Problem };

type ClaimAnswer = { readonly caseId: string; readonly token: string; readonly expiresInMs: number };

/** As states.md has it; the server's limit is five minutes. */
const HEARTBEAT_MS = 30_000;
const ACTIVITY = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const;

/**
 * Holds a case for this tab: takes up the token that the tab has kept, renews it while the person shows signs of being
 * there, and says when it is gone. A page left open and alone lets its case go.
 * @param takeAtOnce claims without being asked where the tab holds no token yet.
 */
export function useClaim(caseId: string, takeAtOnce: boolean) {
  const [hold, setHold] = useState<Hold>({ state: 'unknown' });
  const active = useRef(true);
  const asking = useRef<Promise<Answer<ClaimAnswer>> | null>(null);

  const take = useCallback((claim: ClaimAnswer) => {
    keepToken(claim.caseId, claim.token);
    setHold({ state: 'held', token: claim.token, expiresAt: Date.now() + claim.expiresInMs });
  }, []);

  const lose = useCallback(
    (problem: Problem) => {
      dropToken(caseId);
      setHold({ state: 'lost', problem });
    },
    [caseId],
  );

  const renew = useCallback(
    async (token: string) => {
      const answer = await act<{ expiresInMs: number }>(`/api/desk/cases/${caseId}/heartbeat`, { token });
      if (answer.ok) setHold({ state: 'held', token, expiresAt: Date.now() + answer.value.expiresInMs });
      else if (answer.problem.status === 409) lose(answer.problem);
      // Whatever else went wrong, the claim may still stand: it is tried again before it runs out.
      else setHold((before) => (before.state === 'claiming' ? { state: 'none' } : before));
    },
    [caseId, lose],
  );

  const claim = useCallback(async (): Promise<Problem | null> => {
    setHold({ state: 'claiming' });
    // A second claim would give a second token and make the first one worthless.
    asking.current ??= act<ClaimAnswer>(`/api/desk/cases/${caseId}/claim`).finally(() => {
      asking.current = null;
    });
    const answer = await asking.current;
    if (answer.ok) take(answer.value);
    else setHold({ state: 'none' });
    return answer.ok ? null : answer.problem;
  }, [caseId, take]);

  useEffect(() => {
    const token = keptToken(caseId);
    if (token) {
      setHold({ state: 'claiming' });
      void renew(token);
    } else if (takeAtOnce) void claim();
    else setHold({ state: 'none' });
  }, [caseId, takeAtOnce, renew, claim]);

  useEffect(() => {
    const note = () => {
      active.current = true;
    };
    for (const kind of ACTIVITY) window.addEventListener(kind, note, { passive: true });
    return () => {
      for (const kind of ACTIVITY) window.removeEventListener(kind, note);
    };
  }, []);

  const token = hold.state === 'held' ? hold.token : null;
  useEffect(() => {
    if (!token) return;
    const timer = setInterval(() => {
      if (!active.current || document.visibilityState === 'hidden') return;
      active.current = false;
      void renew(token);
    }, HEARTBEAT_MS);
    return () => clearInterval(timer);
  }, [token, renew]);

  return { hold, claim, take, lose };
}
