import '@fontsource-variable/inter/wght.css';
import './globals.css';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { NONCE_HEADER } from './_server/request-headers.ts';
import { Theme } from './_ui/theme.tsx';

export const metadata: Metadata = {
  title: { default: 'Docket', template: '%s · Docket' },
  description: 'A moderation desk that can account for itself.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#121316' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <body className="min-h-dvh">
        <Theme nonce={nonce}>{children}</Theme>
      </body>
    </html>
  );
}
