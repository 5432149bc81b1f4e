'use client';

import { ThemeProvider } from 'next-themes';
import type { ReactNode } from 'react';

/** Light or dark, following the system until a person chooses; set before the first paint. */
export function Theme({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      {children}
    </ThemeProvider>
  );
}
