import { randomBytes } from 'node:crypto';
import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool, Queryable, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { isUuid } from '../kernel/uuid.ts';
import { hashPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, SALT_BYTES } from './password.ts';
import { isRole, type Role } from './roles.ts';
import { INSERT_USER, LOCK_USER, SELECT_USER, SELECT_USER_BY_EMAIL } from './users.sql.ts';

/** A person with an account. */
export type User = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Rises to end every session of this person at once. */
  readonly sessionEpoch: number;
  readonly disabledAt: Date | null;
};

export type UserWithHash = User & { readonly passwordHash: string | null };

type UserRow = {
  id: string;
  email: string;
  name: string;
  role: string;
  session_epoch: number;
  disabled_at: Date | null;
};

const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** Characters of an e-mail address and of a name at most. */
const EMAIL_LENGTH_MAX = 320;
const NAME_LENGTH_MAX = 200;

/**
 * @param id a user's id; anything that is not a UUID finds nobody.
 * @returns the user as the database knows them now, disabled ones too; null where there is none.
 */
export async function findUser(db: Queryable, id: string): Promise<User | null> {
  if (!isUuid(id)) return null;
  const { rows } = await db.query<UserRow>(SELECT_USER, [id]);
  return rows[0] ? user(rows[0]) : null;
}

/**
 * Step: the user who acts, read inside the act and held until it ends, so that a demotion counts at once and no role
 * changes between the check and the write.
 * @returns the user, or null where there is none or they are disabled: then nothing may be done in their name.
 */
export async function lockUser(tx: Tx, id: string): Promise<User | null> {
  if (!isUuid(id)) return null;
  const { rows } = await tx.query<UserRow>(LOCK_USER, [id]);
  return rows[0] && !rows[0].disabled_at ? user(rows[0]) : null;
}

/** @returns the user with this address, compared without case, and their password hash; null where there is none. */
export async function userByEmail(db: Queryable, email: string): Promise<UserWithHash | null> {
  const { rows } = await db.query<UserRow & { password_hash: string | null }>(SELECT_USER_BY_EMAIL, [email]);
  return rows[0] ? { ...user(rows[0]), passwordHash: rows[0].password_hash } : null;
}

export type NewUser = {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null makes an account that cannot sign in by password. */
  readonly password: string | null;
  readonly actor: Actor;
};

export type CreateUserRefusal = 'email_taken' | 'bad_email' | 'bad_name' | 'password_too_short' | 'password_too_long';

/**
 * Act: makes an account.
 * @returns the user; `email_taken` (without case), `bad_email`, `bad_name`, `password_too_short`, `password_too_long`.
 */
export async function createUser(pool: Pool, wanted: NewUser): Promise<Result<User, CreateUserRefusal>> {
  const { email, name, role, password, actor } = wanted;
  if (!EMAIL.test(email) || email.length > EMAIL_LENGTH_MAX) return refused('bad_email');
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX) return refused('bad_name');
  if (password !== null && password.length < PASSWORD_LENGTH_MIN) {
    return refused('password_too_short', { least: PASSWORD_LENGTH_MIN });
  }
  if (password !== null && password.length > PASSWORD_LENGTH_MAX) return refused('password_too_long');
  // Hashed before the transaction opens: it takes half a second of a core.
  const hash = password === null ? null : await hashPassword(password, randomBytes(SALT_BYTES));
  return transact<User, CreateUserRefusal>(pool, async (tx) => {
    const { rows } = await tx.query<UserRow>(INSERT_USER, [email, name, hash, role]);
    if (!rows[0]) return refused('email_taken');
    const created = user(rows[0]);
    await writeAudit(tx, { actor, kind: 'access.user_created', subject: `user:${created.id}`, data: { role } });
    return ok(created);
  });
}

function user(row: UserRow): User {
  if (!isRole(row.role)) throw new Error('an account has a role that is not known');
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    sessionEpoch: row.session_epoch,
    disabledAt: row.disabled_at,
  };
}
