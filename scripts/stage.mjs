// A stage: everything that one command (demo, dev, the end-to-end server) has running, with one conductor that ends it.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { forgetChildren, OWN_GROUP, rememberChildren } from './leftovers.mjs';
import { ROOT } from './paths.mjs';
import { exitCodeOf, onNpmGone, onPress } from './processes.mjs';

/** Web and worker drain within this; the database needs the rest of the ten seconds that Ctrl-C may take. */
const GRACE_MS = 6_500;
const NOT_STARTED = 127;
const LAST_LINES_COUNT = 20;

/** @typedef {{ name: string, child: import('node:child_process').ChildProcess, ended: Promise<number> }} Member */
/** @typedef {{ env?: NodeJS.ProcessEnv, stdio: import('node:child_process').StdioOptions }} Spawning */
/** @typedef {ReturnType<typeof createStage>} Stage */

/** @param {Iterable<Member>} members @param {NodeJS.Signals} signal */
function signalAll(members, signal) {
  for (const { child } of members)
    try {
      if (OWN_GROUP && child.pid) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended meanwhile.
    }
}

/**
 * @param {Set<Member>} running
 * @param {string} name @param {string[]} args arguments of node @param {Spawning} options
 * @returns {Member}
 */
function startMember(running, name, args, { env = process.env, stdio }) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio, detached: OWN_GROUP });
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(NOT_STARTED)).on('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
  const member = { name, child, ended };
  running.add(member);
  ended.then(() => running.delete(member));
  rememberChildren([...running].map((it) => ({ name: it.name, pid: it.child.pid })));
  return member;
}

/**
 * First the members end (SIGTERM, then SIGKILL), then what was registered, the last first.
 * @param {Set<Member>} running @param {(() => Promise<void> | void)[]} closers @param {number} code
 * @returns {Promise<never>}
 */
async function endAll(running, closers, code) {
  signalAll(running, 'SIGTERM');
  const timer = setTimeout(() => signalAll(running, 'SIGKILL'), GRACE_MS);
  await Promise.all([...running].map(({ ended }) => ended));
  clearTimeout(timer);
  let result = code;
  for (const close of closers.reverse())
    try {
      await close();
    } catch (error) {
      console.error(error.message);
      result ||= 1;
    }
  forgetChildren();
  process.exit(result);
}

/**
 * Makes the stage of this process. Members get process groups of their own, so that only the stage decides when they end;
 * they are written down, so that the next start can end what a kill -9 of this process leaves. Ctrl-C and stop signals end
 * the stage; a second Ctrl-C does not wait for anybody.
 */
export function createStage() {
  /** @type {Set<Member>} */
  const running = new Set();
  /** @type {(() => Promise<void> | void)[]} */
  const closers = [];
  /** @type {Promise<never> | null} */
  let stopping = null;
  let serving = false;
  let pressed = false;

  /** Ends everything, then this process. @param {number} code @returns {Promise<never>} */
  function stop(code) {
    stopping ??= endAll(running, closers, code);
    return stopping;
  }

  onNpmGone(() => stop(0));
  onPress(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    if (pressed) {
      console.error('Ending at once…');
      signalAll(running, 'SIGKILL');
      return;
    }
    pressed = true; // the first press never forces, also where a stop has begun for another reason
    if (signal === 'SIGINT') console.error('\nStopping…');
    stop(serving ? 0 : exitCodeOf(null, signal));
  });

  return {
    stop,
    isStopping: () => stopping !== null,
    /** Runs when all members have ended. @param {() => Promise<void> | void} close */
    onEnd: (close) => void closers.push(close),

    /**
     * Runs a node program to its end. A failure is thrown; during a stop it never returns.
     * @param {string} name @param {string[]} args
     * @param {{ env?: NodeJS.ProcessEnv, quiet?: boolean }} [options] quiet: its words are shown only if it fails
     */
    async step(name, args, { env, quiet = false } = {}) {
      if (stopping) await stopping;
      const out = quiet ? 'pipe' : 2;
      const { child, ended } = startMember(running, name, args, { env, stdio: ['ignore', out, out] });
      const words = collected(child);
      const code = await ended;
      if (stopping) await stopping;
      if (code !== 0) throw new Error(`${name} failed (exit ${code}).\n${words()}`.trimEnd());
    },

    /**
     * Starts what is to run until the stage ends. If it ends before, the stage says so and ends with 1.
     * @param {string} name @param {string[]} args
     * @param {{ env?: NodeJS.ProcessEnv, log?: string }} [options] log: a file for its words; else they go to the terminal
     */
    service(name, args, { env, log } = {}) {
      serving = true;
      const out = log ? openLog(log) : 'pipe';
      const member = startMember(running, name, args, { env, stdio: ['ignore', out, out] });
      if (typeof out === 'number') fs.closeSync(out);
      prefixed(name, member.child);
      member.ended.then((code) => {
        if (stopping) return;
        console.error(`The ${name} ended by itself (exit ${code}); stopping the rest.`);
        if (log) console.error(`${lastLines(log)}\nIts whole story: ${log}`);
        stop(1);
      });
      return member;
    },
  };
}

/** @param {import('node:child_process').ChildProcess} child */
function collected(child) {
  let words = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      words += chunk;
    });
  return () => words;
}

/** @param {string} file keeps one older log @returns {number} */
function openLog(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (fs.existsSync(file)) fs.renameSync(file, `${file}.previous`);
  return fs.openSync(file, 'a');
}

/** @param {string} file */
const lastLines = (file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LAST_LINES_COUNT).join('\n');

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
