'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { SentProvider } from '../_review/sent.tsx';
import { DeskError } from '../_ui/desk-api.ts';
import { KeyboardProvider } from '../_ui/keyboard.tsx';
import { NowProvider } from '../_ui/now.tsx';
import { AnnounceProvider } from './announce.tsx';

const READ_TRIES = 2;

/** What every page of the desk stands in. */
export function Providers({ serverNow, children }: { serverNow: number; children: ReactNode }) {
  const [client] = useState(makeClient);
  const router = useRouter();

  // A page that Back brings out of the browser's own store shows what was true when it was left.
  useEffect(() => {
    const refresh = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      void client.invalidateQueries();
      router.refresh();
    };
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, [client, router]);

  return (
    <QueryClientProvider client={client}>
      <NowProvider serverNow={serverNow}>
        <KeyboardProvider>
          <AnnounceProvider>
            <SentProvider>{children}</SentProvider>
          </AnnounceProvider>
        </KeyboardProvider>
      </NowProvider>
    </QueryClientProvider>
  );
}

function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        refetchOnWindowFocus: true,
        // A refusal stays one however often it is asked; only what never arrived is worth another try.
        retry: (tries, error) => tries < READ_TRIES && !(error instanceof DeskError && error.problem.status > 0),
      },
    },
  });
}
