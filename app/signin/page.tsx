import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ownPath } from '@/lib/access/same-site.ts';
import { webEnv } from '../_server/env.ts';
import { currentUser } from '../_server/guard.ts';
import { Wordmark } from '../_ui/wordmark.tsx';
import { SignInForm } from './form.tsx';

export const metadata: Metadata = { title: 'Sign in' };

/** What the demo seeds; the password is no secret, and outside of the demo neither the list nor the accounts exist. */
const DEMO_PASSWORD = 'docket-demo';
const DEMO_ACCOUNTS = [
  { email: 'reviewer@docket.example', does: 'decides what the machine could not' },
  { email: 'reviewer2@docket.example', does: 'a second reviewer, for working at once' },
  { email: 'moderator@docket.example', does: 'approves what reviewers propose, takes escalated cases' },
  { email: 'manager@docket.example', does: 'watches runs, quality and the age of queues' },
  { email: 'owner@docket.example', does: 'can reverse anything' },
];

export default async function SignInPage({ searchParams }: PageProps<'/signin'>) {
  const { next, error } = await searchParams;
  const env = webEnv();
  const target = ownPath(typeof next === 'string' ? next : null, env.origin) ?? '/';
  if (await currentUser()) redirect(target);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-4 py-10">
      <header>
        <Wordmark className="text-title" />
        <h1 className="mt-4 text-title">Sign in</h1>
      </header>
      <SignInForm
        target={target}
        failed={typeof error === 'string'}
        demo={env.demo ? { password: DEMO_PASSWORD, accounts: DEMO_ACCOUNTS } : null}
      />
    </main>
  );
}
