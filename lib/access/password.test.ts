import { expect, test } from 'vitest';
import { hashPassword, SALT_BYTES, verifyPassword } from './password.ts';

const salt = (fill: number) => new Uint8Array(SALT_BYTES).fill(fill);

test('a password is known again, another is not, and the hash tells its cost', async () => {
  const stored = await hashPassword('correct horse', salt(1));
  expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(await verifyPassword('correct horse', stored)).toBe(true);
  expect(await verifyPassword('correct horse ', stored)).toBe(false);
});

test('the same password under another salt has another hash', async () => {
  expect(await hashPassword('correct horse', salt(1))).not.toBe(await hashPassword('correct horse', salt(2)));
});

test('the same characters typed in another normal form are the same password', async () => {
  const stored = await hashPassword('caf\u00e9 au lait', salt(1));
  expect(await verifyPassword('cafe\u0301 au lait', stored)).toBe(true);
});

test.each([
  ['no account', null],
  ['an empty hash', ''],
  ['another scheme', '$2b$12$abcdefghijklmnopqrstuv'],
  ['a hash without key', '$scrypt$ln=15,r=8,p=3$AAAA$'],
  ['a key that is too short', '$scrypt$ln=15,r=8,p=3$AAAA$AAAA'],
])('%s matches no password, and does not throw', async (_name, stored) => {
  expect(await verifyPassword('', stored)).toBe(false);
});
