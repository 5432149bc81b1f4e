import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { signIn } from './sign-in.db.ts';
import { createUser, findUser, lockUser, type NewUser, userByEmail } from './users.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const wanted = (over: Partial<NewUser>): NewUser => ({
  email: 'someone@docket.example',
  name: 'Someone',
  role: 'reviewer',
  password: 'a long password',
  actor: 'cli',
  ...over,
});

async function make(over: Partial<NewUser>) {
  const made = await createUser(db.pool, wanted(over));
  if (!made.ok) throw new Error(made.refusal);
  return made.value;
}

test('an account is found by id and by address in any case, and its making is in the audit', async () => {
  const made = await make({ email: 'Ada@Docket.example', role: 'owner' });
  expect(made).toMatchObject({ email: 'ada@docket.example', role: 'owner', sessionEpoch: 0, disabledAt: null });
  expect(await findUser(db.pool, made.id)).toEqual(made);
  expect((await userByEmail(db.pool, 'ADA@docket.EXAMPLE'))?.id).toBe(made.id);
  const { rows } = await db.pool.query('SELECT actor, kind, data FROM audit_event WHERE subject = $1', [
    `user:${made.id}`,
  ]);
  expect(rows).toEqual([{ actor: 'cli', kind: 'access.user_created', data: { role: 'owner' } }]);
});

test.each([['', 'x', "' OR true --", 'A3BB189E-8BF9-3888-9912-ACE4E6543002']])(
  'an id that is none (%j) finds nobody and does not throw',
  async (id) => {
    expect(await findUser(db.pool, id)).toBeNull();
  },
);

test('an address belongs to one account; of two makers at once one is refused and nothing is left of it', async () => {
  const both = await Promise.all([
    createUser(db.pool, wanted({ email: 'twice@docket.example' })),
    createUser(db.pool, wanted({ email: 'TWICE@docket.example' })),
  ]);
  expect(both.map((one) => (one.ok ? 'made' : one.refusal)).toSorted()).toEqual(['email_taken', 'made']);
});

test.each<[Partial<NewUser>, string]>([
  [{ email: 'no address' }, 'bad_email'],
  [{ email: '@' }, 'bad_email'],
  [{ name: '  ' }, 'bad_name'],
  [{ password: 'short' }, 'password_too_short'],
  [{ password: 'x'.repeat(513) }, 'password_too_long'],
])('%j is refused as %s', async (over, refusal) => {
  expect(await createUser(db.pool, wanted(over))).toMatchObject({ ok: false, refusal });
});

test('signing in takes the right password of an account that is not disabled, and is recorded', async () => {
  const made = await make({ email: 'signs@docket.example' });
  const bare = await make({ email: 'no-password@docket.example', password: null });
  const attempt = (email: string, password: string) => signIn(db.pool, { email, password });
  expect(await attempt('signs@docket.example', 'a long password')).toMatchObject({ ok: true, value: { id: made.id } });
  expect(await attempt('signs@docket.example', 'another password')).toMatchObject({ refusal: 'wrong_credentials' });
  expect(await attempt('nobody@docket.example', 'a long password')).toMatchObject({ refusal: 'wrong_credentials' });
  expect(await attempt(bare.email, '')).toMatchObject({ refusal: 'wrong_credentials' });
  await db.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [made.id]);
  expect(await attempt('signs@docket.example', 'a long password')).toMatchObject({ refusal: 'wrong_credentials' });
  const { rows } = await db.pool.query(
    "SELECT kind FROM audit_event WHERE subject = $1 AND kind LIKE 'access.sign%' ORDER BY id",
    [`user:${made.id}`],
  );
  expect(rows.map((row) => row.kind)).toEqual(['access.signed_in', 'access.sign_in_refused', 'access.sign_in_refused']);
});

test('an act that has read its user holds the role still; a disabled user cannot act', async () => {
  const made = await make({ email: 'acts@docket.example' });
  const [act, demotion] = await Promise.all([db.pool.connect(), db.pool.connect()]);
  try {
    await act.query('BEGIN');
    expect(await lockUser(act, made.id)).toMatchObject({ role: 'reviewer' });
    await demotion.query("SET lock_timeout = '50ms'");
    const disable = () => demotion.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [made.id]);
    await expect(disable()).rejects.toMatchObject({ code: '55P03' });
    await act.query('COMMIT');
    await disable();
    expect(await lockUser(act, made.id)).toBeNull();
  } finally {
    await demotion.query('RESET lock_timeout');
    act.release();
    demotion.release();
  }
});
