'use client';

import { signIn } from 'next-auth/react';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Notice } from '../_ui/states.tsx';

type Demo = { password: string; accounts: readonly { email: string; does: string }[] };

const FAILED = {
  title: 'That address and password do not belong together',
  detail: 'Check both and try again. Whoever runs this desk can give you a new password.',
};
const SLOW_DOWN = { title: 'Too many tries', detail: 'Wait half a minute, then try again.' };
const OFFLINE = { title: 'The desk cannot be reached', detail: 'Check the connection and try again.' };

/** @param target where to go afterwards; already checked to be our own. */
export function SignInForm({ target, failed, demo }: { target: string; failed: boolean; demo: Demo | null }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(failed ? FAILED : null);
  const email = useRef<HTMLInputElement>(null);

  async function enter(credentials: { email: string; password: string }) {
    setBusy(true);
    setFault(null);
    const result = await signIn('credentials', { ...credentials, redirect: false }).catch(() => undefined);
    if (result?.ok && !result.error) {
      // A whole new page: nothing of whoever sat here before stays in memory.
      window.location.assign(target);
      return;
    }
    setBusy(false);
    setFault(!result ? OFFLINE : result.error === 'TooManyTries' ? SLOW_DOWN : FAILED);
    email.current?.focus();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void enter({ email: String(form.get('email')), password: String(form.get('password')) });
  }

  return (
    <>
      {fault && (
        <Notice kind="problem" title={fault.title}>
          {fault.detail}
        </Notice>
      )}
      {/* Post, so that a press before the page is ready never puts a password into an address. */}
      <form method="post" action="/api/auth/callback/credentials" onSubmit={submit} className="flex flex-col gap-4">
        <label className="flex flex-col gap-1">
          <span className="label">E-mail</span>
          <input ref={email} className="field" name="email" type="email" autoComplete="username" required />
        </label>
        <label className="flex flex-col gap-1">
          <span className="label">Password</span>
          <input className="field" name="password" type="password" autoComplete="current-password" required />
        </label>
        <Button type="submit" kind="primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      {demo && (
        <section aria-labelledby="demo" className="border-t border-line pt-4">
          <h2 id="demo">Demo accounts</h2>
          <p className="mt-1 text-muted">
            One press signs you in. The password of all five is <span className="code">{demo.password}</span>.
          </p>
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {demo.accounts.map(({ email: address, does }) => (
              <li key={address}>
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => void enter({ email: address, password: demo.password })}
                  className="flex w-full flex-col px-1 py-2 text-left hover:bg-sunken disabled:opacity-55"
                >
                  <span className="font-medium text-accent">{address}</span>
                  <span className="text-muted">{does}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
