// Gives a command its PostgreSQL: the one in DATABASE_URL, or a private one from npm that every command shares and that
// ends with its last user.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isAlive, me } from './identity.mjs';
import { withLock } from './lock.mjs';
import { dataDir, ROOT, shown } from './paths.mjs';
import { answers, findServer, rememberServer, startServer, stopServer } from './pg-server.mjs';

/** @typedef {{ url: string, embedded: boolean, release: () => Promise<void> }} Database */

/** @param {string} users */
function livingUsers(users) {
  return fs.readdirSync(users).filter((name) => {
    const file = path.join(users, name);
    let user = null;
    try {
      user = JSON.parse(fs.readFileSync(file, 'utf8'));
    } catch {
      // Written under the lock, so an unreadable one is what a power cut left.
    }
    if (isAlive(user)) return true;
    fs.rmSync(file, { force: true }); // killed before it could leave
    return false;
  });
}

/** @param {string | undefined} text */
function wantedPort(text) {
  if (!text) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error(`EMBEDDED_PG_PORT must be a port number, not "${text}".`);
  return port;
}

/**
 * A database to work with. With DATABASE_URL set nothing is started. Else the embedded server of `dir` is joined, or
 * started when it does not run; this process is written down as its user until release(), and the last user to leave
 * stops it. Users that were killed do not count. Joining, starting, leaving and stopping happen under one lock, so a new
 * user can never get a server that the last one is about to stop.
 *
 * @param {object} [options]
 * @param {string} [options.dir] the server's folder; relative to the checkout; default `postgres` in the data folder
 * @param {(line: string) => void} [options.log] told when a server is started
 * @param {string | null} [options.url] instead of DATABASE_URL; null means: the embedded one whatever is set
 * @param {Record<string, string>} [options.settings] PostgreSQL settings, if this call is the one that starts it
 * @param {(url: string) => Promise<void>} [options.onStart] runs before anybody else can join a freshly started server
 * @param {boolean} [options.fixedPort] false: EMBEDDED_PG_PORT is not for this server
 * @returns {Promise<Database>}
 */
export async function acquireDatabase({
  dir,
  log = () => {},
  url = process.env.DATABASE_URL,
  settings,
  onStart,
  fixedPort = true,
} = {}) {
  if (url) return { url, embedded: false, release: async () => {} };
  const port = fixedPort ? wantedPort(process.env.EMBEDDED_PG_PORT) : undefined;
  const home = dir === undefined ? path.join(dataDir(), 'postgres') : path.resolve(ROOT, dir);
  const users = path.join(home, 'users');
  const lock = path.join(home, 'lock');
  const user = path.join(users, `${process.pid}-${randomUUID()}.json`);

  const found = await withLock(lock, async () => {
    fs.mkdirSync(users, { recursive: true });
    /** @type {import('./pg-server.mjs').Running} */
    let server;
    const known = findServer(home);
    if (known && (await answers(known.url))) {
      if (!known.certain) rememberServer(home, known.pid); // it knows our password: it is ours
      server = known;
    } else {
      if (known) await stopServer(home); // ready by its own word, yet deaf: its last user was killed while stopping it
      server = await startServer(home, { settings, port });
      log(`PostgreSQL started on 127.0.0.1:${server.port}, data in ${shown(home)}`);
      try {
        await onStart?.(server.url);
      } catch (error) {
        if (livingUsers(users).length === 0) await stopServer(home);
        throw error;
      }
    }
    fs.writeFileSync(user, JSON.stringify(me));
    return server;
  });

  let left = false;
  const release = async () => {
    if (left) return;
    left = true;
    await withLock(lock, async () => {
      fs.rmSync(user, { force: true });
      if (livingUsers(users).length === 0) await stopServer(home);
    });
  };
  return { url: found.url, embedded: true, release };
}
