import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireDatabase } from './embedded-pg.mjs';
import { isAlive } from './identity.mjs';
import { findServer, stopServer } from './pg-server.mjs';

const program = path.join(import.meta.dirname, 'test', 'pg-user.mjs');
let base: string;
let dir: string;
let children: ChildProcess[];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'docket pg '));
  chmodSync(base, 0o755); // another user runs the server where the tests run as root
  dir = path.join(base, 'a b');
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await stopServer(dir);
  rmSync(base, { recursive: true, force: true });
});

const options = () => ({ dir, url: null, fixedPort: false, settings: { fsync: 'off' } });

type User = { child: ChildProcess; server: { pid: number; url: string }; leave: () => Promise<unknown> };

async function join(): Promise<User> {
  const child = spawn(process.execPath, [program, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => ['{}'])]);
  const leave = () => {
    child.stdin.end();
    return ended;
  };
  return { child, server: JSON.parse(String(line)), leave };
}

async function kill({ child }: User) {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function run(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('five first users at once start one server, and it ends with the last of them', async () => {
  const users = await Promise.all([join(), join(), join(), join(), join()]);
  const pids = new Set(users.map(({ server }) => server.pid));
  expect(pids.size).toBe(1);
  const [last, ...others] = users as [User, ...User[]];
  await Promise.all(others.map((user) => user.leave()));
  expect(await run(last.server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await last.leave();
  expect(findServer(dir)).toBeNull();
  expect(isAlive({ pid: last.server.pid })).toBe(false);
});

test('a killed user does not keep the server for ever, and its server is found again', async () => {
  const killed = await join();
  await kill(killed);
  const next = await join();
  expect(next.server.pid).toBe(killed.server.pid);
  await next.leave();
  expect(findServer(dir)).toBeNull();
  expect(readdirSync(path.join(dir, 'users'))).toEqual([]);
});

test('joining and leaving in any order never meets a server that is about to stop', async () => {
  const rounds = 6;
  const workers = [1, 2, 3, 4].map(() => {
    const child = spawn(process.execPath, [program, dir, String(rounds)], { stdio: ['ignore', 'inherit', 'inherit'] });
    children.push(child);
    return once(child, 'exit');
  });
  const exits = await Promise.all(workers);
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(findServer(dir)).toBeNull();
});

test('a server that was killed starts again with its data', async () => {
  const before = await acquireDatabase(options());
  await run(before.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const { pid } = findServer(dir) ?? { pid: Number.NaN };
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isAlive({ pid }), { timeout: 10_000 }).toBe(false);
  const after = await acquireDatabase(options());
  expect(await run(after.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await before.release();
  expect(findServer(dir)).not.toBeNull();
  await after.release();
  expect(findServer(dir)).toBeNull();
});

test('data of another major version are refused with the two versions named', async () => {
  mkdirSync(path.join(dir, 'data'), { recursive: true });
  writeFileSync(path.join(dir, 'data', 'PG_VERSION'), '12\n');
  chmodSync(path.join(dir, 'data'), 0o700);
  await expect(acquireDatabase(options())).rejects.toThrow(/PostgreSQL 12.*version 18/s);
});

test('where a database is given, nothing is started', async () => {
  const given = await acquireDatabase({ dir, url: 'postgresql://example.test/x' });
  expect(given).toMatchObject({ url: 'postgresql://example.test/x', embedded: false });
  await given.release();
  expect(readdirSync(base)).toEqual([]);
});
