import 'server-only';
import { getServerSession, type NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import * as z from 'zod';
import { ownPath } from '@/lib/access/same-site.ts';
import { signIn } from '@/lib/access/sign-in.db.ts';
import {
  forgetTries,
  SIGN_IN_OVERALL,
  SIGN_IN_PER_ADDRESS,
  type SignInLimit,
  takeTry,
} from '@/lib/access/sign-in-limit.ts';
import { db } from './db.ts';
import { webEnv } from './env.ts';

/** A signed cookie lasts a working day; the account behind it is read anew on every request. */
const SESSION_MAX_AGE_S = 12 * 3600;

/** What a session cookie says: who, and which generation of sessions. Never a role. */
export type SessionIdentity = { readonly id: string; readonly epoch: number };

declare module 'next-auth' {
  interface Session {
    identity?: SessionIdentity;
  }
  interface User {
    epoch?: number;
  }
}

const credentials = z.object({ email: z.string().trim().min(1).max(320), password: z.string().min(1) });

/** Failed tries to sign in, of this process; lost on a restart, which is no way around it for someone outside. */
const tries: SignInLimit = new Map();

async function authorize(raw: unknown): Promise<{ id: string; epoch: number } | null> {
  const form = credentials.safeParse(raw);
  if (!form.success) return null;
  const nowMs = Date.now();
  const address = `address:${form.data.email.toLowerCase()}`;
  const waitMs =
    takeTry(tries, address, SIGN_IN_PER_ADDRESS, nowMs) ?? takeTry(tries, 'overall', SIGN_IN_OVERALL, nowMs);
  // next-auth hands the message of an error to the page as its code.
  if (waitMs !== null) throw new Error('TooManyTries');
  const result = await signIn(db(), form.data);
  if (!result.ok) return null;
  forgetTries(tries, address);
  return { id: result.value.id, epoch: result.value.sessionEpoch };
}

let options: NextAuthOptions | undefined;

/** The options of next-auth, made on first use so that a build needs no secret. */
export function authOptions(): NextAuthOptions {
  options ??= {
    secret: webEnv().secret,
    session: { strategy: 'jwt', maxAge: SESSION_MAX_AGE_S },
    pages: { signIn: '/signin', error: '/signin', signOut: '/signin' },
    providers: [CredentialsProvider({ credentials: { email: {}, password: {} }, authorize })],
    callbacks: {
      jwt: ({ token, user }) =>
        user ? { sub: user.id, epoch: user.epoch ?? 0 } : { sub: token.sub ?? '', epoch: token.epoch },
      session: ({ session, token }) => ({
        expires: session.expires,
        identity: { id: token.sub ?? '', epoch: Number(token.epoch) },
      }),
      redirect: ({ url }) => `${webEnv().origin}${ownPath(url, webEnv().origin) ?? '/'}`,
    },
    // A wrong password is no fault of the program, and the library's own lines would carry addresses.
    logger: { error: (code) => console.error(`next-auth: ${code}`), warn: () => {}, debug: () => {} },
  };
  return options;
}

/** @returns who the cookie of this request says is there, or null. */
export async function sessionIdentity(): Promise<SessionIdentity | null> {
  return (await getServerSession(authOptions()))?.identity ?? null;
}
