import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from './lock.mjs';

const program = path.join(import.meta.dirname, 'test', 'lock-user.mjs');
let base: string;
let lock: string;
let counter: string;
let children: ChildProcess[];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'docket lock '));
  lock = path.join(base, 'lock');
  counter = path.join(base, 'counter');
  writeFileSync(counter, '0');
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

function start(rounds: string) {
  const child = spawn(process.execPath, [program, lock, counter, rounds], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

test('no two processes are inside at once', { timeout: 60_000 }, async () => {
  await Promise.all([1, 2, 3, 4].map(() => once(start('8'), 'exit')));
  expect(readFileSync(counter, 'utf8')).toBe('32');
  expect(readdirSync(lock)).toHaveLength(1);
});

test('the lock of a killed holder is taken over, by one process at a time', { timeout: 60_000 }, async () => {
  const holder = start('hold');
  await once(holder.stdout, 'data');
  const waiting = [1, 2, 3].map(() => once(start('5'), 'exit'));
  expect(readFileSync(counter, 'utf8')).toBe('0');
  holder.kill('SIGKILL');
  await Promise.all(waiting);
  expect(readFileSync(counter, 'utf8')).toBe('15');
});

test('a ticket whose process number now belongs to somebody else does not hold', async () => {
  await withLock(lock, () => {});
  writeFileSync(path.join(lock, '7'), JSON.stringify({ pid: process.pid, startedAt: 'another life' }));
  expect(await withLock(lock, () => 'in', { timeoutMs: 1_000 })).toBe('in');
});

test('a ticket torn by a power cut does not hold', async () => {
  await withLock(lock, () => {});
  writeFileSync(path.join(lock, '7'), '');
  expect(await withLock(lock, () => 'in', { timeoutMs: 1_000 })).toBe('in');
});

test('the lock is given back when the work fails', async () => {
  await expect(
    withLock(lock, () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await withLock(lock, () => 'in', { timeoutMs: 1_000 })).toBe('in');
});
