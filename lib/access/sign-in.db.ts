import { writeAudit } from '../audit/audit.db.ts';
import type { Pool } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { PASSWORD_LENGTH_MAX, verifyPassword } from './password.ts';
import { type User, userByEmail } from './users.db.ts';

/**
 * Act: checks an address and a password and records that it was tried. An unknown address takes as long as a wrong
 * password and answers the same, so that nobody can ask who has an account.
 * @returns the user, or `wrong_credentials` (also for a disabled account).
 */
export async function signIn(
  pool: Pool,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Result<User, 'wrong_credentials'>> {
  if (password.length > PASSWORD_LENGTH_MAX) return refused('wrong_credentials');
  const found = await userByEmail(pool, email);
  const matches = await verifyPassword(password, found?.passwordHash ?? null);
  if (!found) return refused('wrong_credentials');
  const allowed = matches && !found.disabledAt;
  await transact(pool, async (tx) => {
    await writeAudit(tx, {
      actor: allowed ? `user:${found.id}` : 'system',
      kind: allowed ? 'access.signed_in' : 'access.sign_in_refused',
      subject: `user:${found.id}`,
      data: {},
    });
    return ok(null);
  });
  return allowed ? ok(found) : refused('wrong_credentials');
}
