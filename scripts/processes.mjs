// Starting, watching and ending child processes. Two ways: one child in the foreground (a command), or a stage of steps
// and services (demo, dev, the end-to-end server) with one conductor that ends all of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, me } from './identity.mjs';
import { dataDir, ROOT } from './paths.mjs';

/** One press of Ctrl-C arrives twice under `npm run`: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 500;
/** Web and worker drain within this; the database needs the rest of the ten seconds that Ctrl-C may take. */
const GRACE_MS = 6_500;
const LEFTOVER_GRACE_MS = 5_000;
const POLL_MS = 50;
const ORPHAN_POLL_MS = 500;
const OWN_GROUP = process.platform !== 'win32';

/** Arguments of node for a TypeScript program. @param {string} file @param {string[]} [args] */
export const typescript = (file, args = []) => ['--import', 'tsx', path.join(ROOT, file), ...args];

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
const exitCodeOf = (code, signal) => code ?? 128 + (signal ? os.constants.signals[signal] : 0);

/**
 * Calls back once for every press of Ctrl-C or stop signal, not once for every delivery.
 * @param {NodeJS.Signals[]} signals @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} ends the listening
 */
function onPress(signals, callback) {
  let lastAt = Number.NEGATIVE_INFINITY;
  const listener = (/** @type {NodeJS.Signals} */ signal) => {
    const now = performance.now();
    if (now - lastAt > SAME_PRESS_MS) callback(signal);
    lastAt = now;
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/**
 * Calls back when npm, which started us, is gone. `kill` of npm ends npm and its shell, but the signal never arrives here,
 * and everything would run on without an owner. Started without npm, an orphan is one on purpose (nohup).
 * @param {() => void} callback
 * @returns {() => void} ends the watching
 */
function onNpmGone(callback) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, ORPHAN_POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Runs one node program in the foreground, in the checkout's root, and returns its exit code. A stop signal is passed on.
 * Ctrl-C in a terminal reaches the child by itself (same process group); then this only waits for it.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
export async function runForeground(args, env) {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env, cwd: ROOT });
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const deaf = [
    onPress(['SIGTERM', 'SIGHUP'], (signal) => child.kill(signal)),
    onPress(['SIGINT'], (signal) => terminal || child.kill(signal)),
    onNpmGone(() => child.kill('SIGTERM')),
  ];
  try {
    const [code, signal] = await once(child, 'exit');
    return exitCodeOf(code, signal);
  } finally {
    for (const end of deaf) end();
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  try {
    if (OWN_GROUP && child.pid) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended meanwhile.
  }
}

const recordsDir = () => path.join(dataDir(), 'processes');

/** @typedef {{ name: string, child: import('node:child_process').ChildProcess, ended: Promise<number> }} Service */

/**
 * A stage: everything that one command has running. Children get process groups of their own, so that only the stage
 * decides when they end: first they (SIGTERM, then SIGKILL), then what was registered with onEnd (the database). They
 * are written down, so that after a kill -9 of the stage the next start can end them (`endLeftovers`).
 */
export function createStage() {
  /** @type {Set<Service>} */
  const running = new Set();
  /** @type {(() => Promise<void> | void)[]} */
  const closers = [];
  /** @type {Promise<never> | null} */
  let stopping = null;
  let serving = false;
  let pressed = false;
  const record = path.join(recordsDir(), `${process.pid}.json`);

  function writeRecord() {
    const children = [...running].map(({ name, child }) => ({ name, ...identify(child.pid ?? 0) }));
    fs.mkdirSync(recordsDir(), { recursive: true });
    fs.writeFileSync(`${record}.new`, JSON.stringify({ owner: me, children }));
    fs.renameSync(`${record}.new`, record);
  }

  /**
   * @param {string} name @param {string[]} args arguments of node
   * @param {{ env?: NodeJS.ProcessEnv, stdio: import('node:child_process').StdioOptions }} options
   * @returns {Service}
   */
  function start(name, args, { env = process.env, stdio }) {
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio, detached: OWN_GROUP });
    /** @type {Promise<number>} */
    const ended = new Promise((resolve) => {
      child.on('error', () => resolve(127)).on('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
    });
    const service = { name, child, ended };
    running.add(service);
    ended.then(() => running.delete(service));
    writeRecord();
    return service;
  }

  /** @param {number} code @param {boolean} [force] @returns {Promise<never>} */
  async function end(code, force = false) {
    const all = [...running];
    for (const { child } of all) signalGroup(child, force ? 'SIGKILL' : 'SIGTERM');
    const timer = setTimeout(() => {
      for (const { child } of running) signalGroup(child, 'SIGKILL');
    }, GRACE_MS);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
    for (const close of closers.reverse())
      try {
        await close();
      } catch (error) {
        console.error(error.message);
        code ||= 1;
      }
    fs.rmSync(record, { force: true });
    process.exit(code);
  }

  /** Ends everything, then this process. @param {number} code @returns {Promise<never>} */
  function stop(code) {
    stopping ??= end(code);
    return stopping;
  }

  onPress(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    if (pressed) {
      console.error('Ending at once…');
      for (const { child } of running) signalGroup(child, 'SIGKILL');
      return;
    }
    pressed = true; // the first press never forces, also where a stop has begun for another reason
    if (signal === 'SIGINT') console.error('\nStopping…');
    stop(serving ? 0 : exitCodeOf(null, signal));
  });

  onNpmGone(() => stop(0));

  return {
    stop,
    /** Whether the stage is being ended. */
    isStopping: () => stopping !== null,
    /** Runs when all children have ended; the last registered first. @param {() => Promise<void> | void} close */
    onEnd: (close) => void closers.push(close),

    /**
     * Runs a node program to its end. A failure is thrown; during a stop it never returns.
     * @param {string} name @param {string[]} args @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
     */
    async step(name, args, { env, quiet = false } = {}) {
      if (stopping) await stopping;
      const { child, ended } = start(name, args, { env, stdio: ['ignore', quiet ? 'pipe' : 2, quiet ? 'pipe' : 2] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
      const code = await ended;
      if (stopping) await stopping;
      if (code !== 0) throw new Error(`${name} failed (exit ${code}).${output ? `\n${output}` : ''}`);
    },

    /**
     * Starts what is to run until the stage ends. If it ends before, the stage says so and ends with 1.
     * @param {string} name @param {string[]} args
     * @param {{ env?: NodeJS.ProcessEnv, log?: string }} [options] log: a file for its words; else they go to the terminal
     */
    service(name, args, { env, log } = {}) {
      serving = true;
      const out = log ? openLog(log) : null;
      const service = start(name, args, { env, stdio: ['ignore', out ?? 'pipe', out ?? 'pipe'] });
      if (out !== null) fs.closeSync(out);
      prefixed(name, service.child);
      service.ended.then((code) => {
        if (stopping) return;
        console.error(`The ${name} ended by itself (exit ${code}); stopping the rest.`);
        if (log) console.error(`${lastLines(log)}\nIts whole story: ${log}`);
        stop(1);
      });
      return service;
    },
  };
}

/** @param {string} file keeps one older log @returns {number} */
function openLog(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.previous`);
  return fs.openSync(file, 'a');
}

/** @param {string} file */
const lastLines = (file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n');

/** @param {string} name @param {import('node:child_process').ChildProcess} child */
function prefixed(name, child) {
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    let rest = '';
    stream.setEncoding('utf8').on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) process.stderr.write(`${name.padEnd(6)} │ ${line}\n`);
    });
    stream.on('end', () => rest && process.stderr.write(`${name.padEnd(6)} │ ${rest}\n`));
  }
}

/**
 * Ends what killed stages of this data folder left running, so that it does not hold the port for ever. Only processes
 * that are certainly those that were written down: same number and same start time.
 * @returns {Promise<string[]>} the names of what was ended
 */
export async function endLeftovers() {
  /** @type {string[]} */
  const endedNames = [];
  if (!fs.existsSync(recordsDir())) return endedNames;
  for (const file of fs.readdirSync(recordsDir()).filter((name) => name.endsWith('.json'))) {
    const record = path.join(recordsDir(), file);
    let written = null;
    try {
      written = JSON.parse(fs.readFileSync(record, 'utf8'));
    } catch {
      // Torn by a power cut: whoever it named is gone too.
    }
    if (isAlive(written?.owner)) continue;
    for (const child of written?.children ?? [])
      if (child.startedAt && isAlive(child)) {
        await endGroup(child);
        endedNames.push(child.name);
      }
    fs.rmSync(record, { force: true });
  }
  return endedNames;
}

/** @param {import('./identity.mjs').Identity} leader */
async function endGroup(leader) {
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGKILL'])) {
    try {
      process.kill(OWN_GROUP ? -leader.pid : leader.pid, signal);
    } catch {
      return;
    }
    const until = Date.now() + LEFTOVER_GRACE_MS;
    while (isAlive(leader) && Date.now() < until) await sleep(POLL_MS);
    if (!isAlive(leader)) return;
  }
}

/**
 * Whether nobody listens on a port, by either name of this machine (a browser may try ::1 first).
 * @param {number} port
 */
export async function isPortFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const refusal = await new Promise((resolve) => {
      const server = net.createServer().on('error', resolve);
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
    });
    if (refusal && ['EADDRINUSE', 'EACCES'].includes(refusal.code)) return false;
  }
  return true;
}
