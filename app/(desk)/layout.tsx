import type { ReactNode } from 'react';
import { countsFor } from '../_server/counts.ts';
import { currentUser } from '../_server/guard.ts';
import { Header } from '../_shell/header.tsx';
import { Providers } from '../_shell/providers.tsx';

/** The frame around the desk's pages. It guards nothing: every page asks for its right itself. */
export default async function DeskLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user) return children;
  return (
    <Providers serverNow={Date.now()}>
      <Header person={{ name: user.name, email: user.email, role: user.role }} counts={await countsFor(user)} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1440px] px-4 py-4">
        {children}
      </main>
    </Providers>
  );
}
