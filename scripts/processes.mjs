// Child processes and the signals that end them: what commands in the foreground and stages have in common.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './paths.mjs';

/** One press of Ctrl-C arrives twice under `npm run`: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 500;
const ORPHAN_POLL_MS = 500;

/** Arguments of node for a TypeScript program. @param {string} file @param {string[]} [args] */
export const typescript = (file, args = []) => ['--import', 'tsx', path.join(ROOT, file), ...args];

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
export const exitCodeOf = (code, signal) => code ?? 128 + (signal ? os.constants.signals[signal] : 0);

/**
 * Calls back once for every press of Ctrl-C or stop signal, not once for every delivery.
 * @param {NodeJS.Signals[]} signals @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} ends the listening
 */
export function onPress(signals, callback) {
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
export function onNpmGone(callback) {
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
