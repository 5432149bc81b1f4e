import { expect, test } from 'vitest';
import { forgetTries, type Rate, SIGN_IN_KEYS_MAX, type SignInLimit, takeTry } from './sign-in-limit.ts';

const RATE: Rate = { tries: 3, refillMs: 1000 };

test('after its tries a key waits for the next to come back; other keys do not', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < RATE.tries; i++) expect(takeTry(limit, 'a', RATE, 0)).toBeNull();
  expect(takeTry(limit, 'a', RATE, 0)).toBe(RATE.refillMs);
  expect(takeTry(limit, 'a', RATE, RATE.refillMs / 2)).toBe(RATE.refillMs / 2);
  expect(takeTry(limit, 'b', RATE, 0)).toBeNull();
  expect(takeTry(limit, 'a', RATE, RATE.refillMs)).toBeNull();
  expect(takeTry(limit, 'a', RATE, RATE.refillMs)).not.toBeNull();
});

test('who got in has all tries again, and others none more', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < RATE.tries; i++) for (const key of ['a', 'b']) takeTry(limit, key, RATE, 0);
  forgetTries(limit, 'a');
  expect(takeTry(limit, 'a', RATE, 0)).toBeNull();
  expect(takeTry(limit, 'b', RATE, 0)).not.toBeNull();
});

test('a clock that steps back gives nothing away', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < RATE.tries; i++) takeTry(limit, 'a', RATE, 1_000_000);
  expect(takeTry(limit, 'a', RATE, 0)).not.toBeNull();
});

test('a flood of keys does not grow the memory, and the key that keeps trying is not the one forgotten', () => {
  const limit: SignInLimit = new Map();
  for (let i = 0; i < RATE.tries; i++) takeTry(limit, 'a', RATE, 0);
  for (let i = 0; i < SIGN_IN_KEYS_MAX * 2; i++) {
    takeTry(limit, `key ${i}`, RATE, 0);
    if (i % 1000 === 0) expect(takeTry(limit, 'a', RATE, 0)).not.toBeNull();
  }
  expect(limit.size).toBe(SIGN_IN_KEYS_MAX);
});

test('after a right password the tries of an address begin anew', () => {
  const limit: SignInLimit = new Map();
  const rate = { tries: 2, refillMs: 1_000 };
  expect([takeTry(limit, 'a', rate, 0), takeTry(limit, 'a', rate, 0)]).toEqual([null, null]);
  expect(takeTry(limit, 'a', rate, 0)).toBe(1_000);
  forgetTries(limit, 'a');
  expect(takeTry(limit, 'a', rate, 0)).toBeNull();
});
