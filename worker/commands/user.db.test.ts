import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyPassword } from '../../lib/access/password.ts';
import { userByEmail } from '../../lib/access/users.db.ts';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import type { CommandContext } from '../command.ts';
import { command } from './user.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function user(positionals: string[], values: Record<string, unknown> = {}, stdin = '') {
  const context: Partial<CommandContext> = { positionals, values, pool: database.pool, stdin: async () => stdin };
  return command.run(context as CommandContext);
}

test('an account gets a password that is shown once and opens it', async () => {
  const { exit, json } = await user(['add', 'new@docket.example'], { role: 'reviewer' });
  expect(exit).toBe(0);
  const { password } = json as { password: string };
  const stored = await userByEmail(database.pool, 'new@docket.example');
  expect(stored).toMatchObject({ role: 'reviewer', name: 'new' });
  expect(await verifyPassword(password, stored?.passwordHash ?? null)).toBe(true);
});

test('a password from stdin is taken and not repeated', async () => {
  const values = { role: 'owner', name: 'O', 'password-stdin': true };
  const outcome = await user(['add', 'owner@docket.example'], values, 'a good long one\n');
  expect(JSON.stringify(outcome)).not.toContain('a good long one');
  const stored = await userByEmail(database.pool, 'owner@docket.example');
  expect(await verifyPassword('a good long one', stored?.passwordHash ?? null)).toBe(true);
});

test.each([
  [['add', 'x@docket.example'], {}, 'bad_option'],
  [['add', 'x@docket.example'], { role: 'king' }, 'bad_option'],
  [['add'], { role: 'owner' }, 'bad_usage'],
  [['remove', 'x@docket.example'], { role: 'owner' }, 'bad_usage'],
  [['add', 'nobody'], { role: 'owner' }, 'bad_email'],
  [['add', 'x@docket.example'], { role: 'owner', 'password-stdin': true }, 'password_too_short'],
])('%j %j is refused: %s', async (positionals, values, code) => {
  await expect(user(positionals, values, 'short\n')).rejects.toMatchObject({ code });
});
