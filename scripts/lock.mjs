// A lock between processes that survives kill -9 of its holder, with nothing but a folder.
//
// The folder holds numbered tickets. The highest ticket is the lock: it names its holder, or says that it is free.
// Taking the lock is creating the next number with link(2), which only one process can do, so that two processes that
// find the same dead holder cannot both take over (the flaw of "remove the stale file, then create mine").
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, me } from './identity.mjs';

const POLL_MS = 40;
let serial = 0;

/** @param {string} dir */
const tickets = (dir) =>
  readdirSync(dir)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => b - a);

/** @param {string} dir @param {number} ticket */
function holderOf(dir, ticket) {
  let text;
  try {
    text = readFileSync(path.join(dir, String(ticket)), 'utf8');
  } catch {
    return undefined; // gone meanwhile: look again
  }
  try {
    return JSON.parse(text);
  } catch {
    return null; // a ticket is complete before it is linked, so this is what a power cut left: free
  }
}

/**
 * One try. Returns the ticket, or null when somebody living holds the lock or was quicker.
 * @param {string} dir
 */
function tryTake(dir) {
  const highest = tickets(dir)[0] ?? 0;
  if (highest > 0) {
    const holder = holderOf(dir, highest);
    if (holder === undefined || (holder !== null && isAlive(holder))) return null;
  }
  const draft = path.join(dir, `draft-${process.pid}-${serial++}`);
  const mine = highest + 1;
  writeFileSync(draft, JSON.stringify(me));
  try {
    linkSync(draft, path.join(dir, String(mine)));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return null;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const now = tickets(dir);
  if (now[0] !== mine) {
    rmSync(path.join(dir, String(mine)), { force: true }); // I looked too long ago: others have come and gone
    return null;
  }
  for (const old of now.slice(1)) rmSync(path.join(dir, String(old)), { force: true });
  return mine;
}

/** @param {string} dir */
function firstTry(dir) {
  try {
    mkdirSync(dir, { recursive: true });
    return tryTake(dir);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
    const folder = path.dirname(dir);
    throw new Error(
      `${folder} cannot be written by this user (another user made it?). Run as that user, or choose another folder.`,
    );
  }
}

/** @param {string} dir @param {number} ticket */
function giveBack(dir, ticket) {
  const draft = path.join(dir, `draft-${process.pid}-${serial++}`);
  writeFileSync(draft, 'null');
  renameSync(draft, path.join(dir, String(ticket))); // only the holder writes its own ticket
}

/**
 * Runs `work` while no other process (and no other call in this one) is inside the same folder's lock.
 * @template T
 * @param {string} dir the lock's folder; made when absent
 * @param {() => Promise<T> | T} work
 * @param {{ timeoutMs?: number, onWait?: () => void }} [options] onWait is called once, when somebody else holds it
 * @returns {Promise<T>}
 */
export async function withLock(dir, work, { timeoutMs = 15 * 60_000, onWait } = {}) {
  const until = Date.now() + timeoutMs;
  let told = false;
  let ticket = firstTry(dir);
  while (ticket === null) {
    if (Date.now() > until) throw new Error(`Another process holds the lock ${dir} for too long.`);
    if (!told) onWait?.();
    told = true;
    await sleep(POLL_MS);
    ticket = tryTake(dir);
  }
  try {
    return await work();
  } finally {
    giveBack(dir, ticket);
  }
}
