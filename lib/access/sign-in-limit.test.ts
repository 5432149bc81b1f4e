import { expect, test } from 'vitest';
import { SIGN_IN_KEYS_MAX, SIGN_IN_REFILL_MS, SIGN_IN_TRIES, type SignInLimit, takeTry } from './sign-in-limit.ts';

test('after its tries a key waits for the next to come back; other keys do not', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < SIGN_IN_TRIES; i++) expect(takeTry(limit, 'a', 0)).toBeNull();
  expect(takeTry(limit, 'a', 0)).toBe(SIGN_IN_REFILL_MS);
  expect(takeTry(limit, 'a', SIGN_IN_REFILL_MS / 2)).toBe(SIGN_IN_REFILL_MS / 2);
  expect(takeTry(limit, 'b', 0)).toBeNull();
  expect(takeTry(limit, 'a', SIGN_IN_REFILL_MS)).toBeNull();
  expect(takeTry(limit, 'a', SIGN_IN_REFILL_MS)).not.toBeNull();
});

test('a clock that steps back gives nothing away', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < SIGN_IN_TRIES; i++) takeTry(limit, 'a', 1_000_000);
  expect(takeTry(limit, 'a', 0)).not.toBeNull();
});

test('a flood of keys does not grow the memory, and the key that keeps trying is not the one forgotten', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < SIGN_IN_TRIES; i++) takeTry(limit, 'a', 0);
  for (let i = 0; i < SIGN_IN_KEYS_MAX * 2; i++) {
    takeTry(limit, `key ${i}`, 0);
    if (i % 1000 === 0) expect(takeTry(limit, 'a', 0)).not.toBeNull();
  }
  expect(limit.size).toBe(SIGN_IN_KEYS_MAX);
});
