import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive } from './identity.mjs';
import { endLeftovers } from './leftovers.mjs';
import { isPortFree } from './ports.mjs';

const program = path.join(import.meta.dirname, 'test', 'stage-user.mjs');
let home: string;
let started: ChildProcess[];

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'docket stage '));
  vi.stubEnv('DOCKET_DATA_DIR', home);
  started = [];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

async function startStage() {
  const stage = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env } });
  started.push(stage);
  const [line] = await once(stage.stdout, 'data');
  return { stage, servicePid: Number(line) };
}

async function end(stage: ChildProcess, signal: NodeJS.Signals) {
  const ended = once(stage, 'exit');
  stage.kill(signal);
  return (await ended)[0];
}

const records = () => readdirSync(path.join(home, 'processes'));

test('a stop signal ends the service and leaves no record', async () => {
  const { stage, servicePid } = await startStage();
  expect(await end(stage, 'SIGTERM')).toBe(0);
  expect(isAlive({ pid: servicePid })).toBe(false);
  expect(records()).toEqual([]);
});

test('what a killed stage left running is ended by the next start', async () => {
  const { stage, servicePid } = await startStage();
  await end(stage, 'SIGKILL');
  expect(isAlive({ pid: servicePid })).toBe(true);
  expect(await endLeftovers()).toEqual(['sleeper']);
  expect(isAlive({ pid: servicePid })).toBe(false);
  expect(records()).toEqual([]);
});

test('a living stage keeps its services', async () => {
  const { stage, servicePid } = await startStage();
  expect(await endLeftovers()).toEqual([]);
  expect(isAlive({ pid: servicePid })).toBe(true);
  await end(stage, 'SIGTERM');
});

test('a process that only has the number of a left service is not touched', async () => {
  const { stage, servicePid } = await startStage();
  await end(stage, 'SIGKILL');
  const [file = ''] = records();
  const record = path.join(home, 'processes', file);
  const written = JSON.parse(readFileSync(record, 'utf8'));
  written.children[0].startedAt = 'another life';
  writeFileSync(record, JSON.stringify(written));
  expect(await endLeftovers()).toEqual([]);
  expect(isAlive({ pid: servicePid })).toBe(true);
  process.kill(servicePid, 'SIGKILL');
});

test.each(['127.0.0.1', '::1'])('a port on which somebody listens at %s is taken', async (host) => {
  const server = net.createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.on('error', () => resolve(false)).listen(0, host, () => resolve(true));
  });
  if (!listening) return; // a machine without IPv6
  const { port } = server.address() as net.AddressInfo;
  expect(await isPortFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortFree(port)).toBe(true);
});
