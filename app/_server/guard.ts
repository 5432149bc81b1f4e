import 'server-only';
import { headers } from 'next/headers';
import { forbidden, redirect } from 'next/navigation';
import { cache } from 'react';
import { may, type Right } from '@/lib/access/roles.ts';
import { findUser, type User } from '@/lib/access/users.db.ts';
import { sessionIdentity } from './auth.ts';
import { db } from './db.ts';
import { PATH_HEADER } from './request-headers.ts';

/**
 * Who is there, as the database knows them now: a demotion, a disabled account or a raised epoch counts on the next
 * request. Read once a request, however many parts of a page ask.
 */
export const currentUser = cache(async (): Promise<User | null> => {
  const identity = await sessionIdentity();
  if (!identity) return null;
  const user = await findUser(db(), identity.id);
  return user && !user.disabledAt && user.sessionEpoch === identity.epoch ? user : null;
});

/**
 * The first line of every page: sends strangers to sign in (and back), and answers 403 to those without the right.
 * @param right null where being signed in is enough.
 */
export async function requireRight(right: Right | null): Promise<User> {
  const user = await currentUser();
  if (!user) {
    const path = (await headers()).get(PATH_HEADER);
    redirect(path && path !== '/' ? `/signin?next=${encodeURIComponent(path)}` : '/signin');
  }
  if (right && !may(user.role, right)) forbidden();
  return user;
}
