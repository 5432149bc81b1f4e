// One embedded PostgreSQL server in one folder: making its data, starting, finding, stopping. Whoever calls holds the
// folder's lock (embedded-pg.mjs), so nothing here races with another starter.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive } from './identity.mjs';
import { shown } from './paths.mjs';
import { binaries, runAs } from './pg-native.mjs';
import { freePort } from './ports.mjs';

export const ROLE = 'docket';
export const DATABASE = 'docket';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 8_000;
const POLL_MS = 25;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Above every pid that a system gives out, so never alive. */
const NO_PID = 2 ** 31 - 1;

/** @typedef {{ pid: number, port: number, url: string }} Running */

/** @param {string} dir */
const files = (dir) => ({
  data: path.join(dir, 'data'),
  password: path.join(dir, 'data', 'docket.password'),
  postmaster: path.join(dir, 'data', 'postmaster.pid'),
  identity: path.join(dir, 'server.json'),
  log: path.join(dir, 'postgres.log'),
});

/** @param {string} file */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/** @param {string} dir @param {number} port */
function urlOf(dir, port) {
  const password = fs.readFileSync(files(dir).password, 'utf8').trim();
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

/** @param {string | null} text */
function parseIdentity(text) {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/**
 * The server of this folder by what is written down, or null. `certain`: the very process that was started here lives;
 * otherwise (its starter was killed at the worst moment) only the pid is known, and it may be a stranger's by now.
 * @param {string} dir
 * @returns {(Running & { certain: boolean }) | null}
 */
export function findServer(dir) {
  const lines = readIfThere(files(dir).postmaster)?.split('\n');
  if (lines?.[7]?.trim() !== 'ready') return null;
  const pid = Number(lines[0]);
  const written = parseIdentity(readIfThere(files(dir).identity));
  const certain = written?.pid === pid && Boolean(written.startedAt);
  const alive = certain ? isAlive(written) : identify(pid) !== null;
  return alive ? { pid, port: Number(lines[3]), url: urlOf(dir, Number(lines[3])), certain } : null;
}

/**
 * Writes down which process the server is, so that nobody ever signals another one.
 * @param {string} dir @param {number | undefined} pid
 */
export function rememberServer(dir, pid) {
  const identity = pid === undefined ? null : identify(pid);
  if (identity) fs.writeFileSync(files(dir).identity, JSON.stringify(identity));
}

/** @param {string} sql @param {string} url */
async function query(url, sql) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Whether this folder's server listens. "Too many clients" and "starting up" are answers too: such a server must not be
 * taken for dead.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export const answers = (url) =>
  query(url, 'SELECT 1').then(
    () => true,
    (error) => ['53300', '57P03'].includes(error?.code),
  );

/**
 * initdb into a side folder, then one rename: a first start that is killed leaves nothing half-made in the data's place.
 * @param {string} dir @param {string} initdb @param {import('./pg-native.mjs').RunAs} as
 * @param {boolean} sync false: the data need not outlive a power cut
 */
async function createData(dir, initdb, as, sync) {
  for (const left of fs.readdirSync(dir).filter((name) => name.startsWith('data.new')))
    fs.rmSync(path.join(dir, left), { recursive: true, force: true });
  const side = path.join(dir, 'data.new');
  const passwordFile = path.join(dir, 'data.new.password');
  fs.mkdirSync(side, { mode: 0o700 });
  fs.writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  if (as.owner) for (const made of [side, passwordFile]) fs.chownSync(made, as.owner.uid, as.owner.gid);
  const [command = initdb, ...args] = [
    ...as.wrap,
    initdb,
    ...['-D', side, '-U', ROLE, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['-E', 'UTF8', '--locale=C', '--no-instructions', ...(sync ? [] : ['--no-sync'])],
  ];
  const child = spawn(command, args, { ...as.options, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const code = await new Promise((resolve) => child.on('error', resolve).on('close', resolve));
  if (code !== 0) throw new Error(`The embedded database could not be made: ${complaint.trim() || code}`);
  fs.renameSync(passwordFile, path.join(side, 'docket.password'));
  fs.renameSync(side, files(dir).data);
}

/**
 * After a reboot or in a fresh container the pid in postmaster.pid may belong to a stranger, and PostgreSQL would refuse
 * to start for ever. Only where the identity proves it: name a pid that cannot exist. The rest of the file stays, since
 * PostgreSQL finds by it whether orphaned children still use the shared memory.
 * @param {string} dir
 */
function disownStranger(dir) {
  const { postmaster, identity } = files(dir);
  const text = readIfThere(postmaster);
  const written = parseIdentity(readIfThere(identity));
  if (!text || !written?.startedAt) return;
  const pid = Number(text.split('\n')[0]);
  if (pid !== written.pid || isAlive(written) || identify(pid) === null) return;
  const stat = fs.statSync(postmaster);
  fs.writeFileSync(postmaster, text.replace(/^\d+/, String(NO_PID)));
  fs.chownSync(postmaster, stat.uid, stat.gid);
}

/**
 * One try to start. Returns what the log says when the server ended before it was ready, or null when it is ready.
 * @param {string} dir @param {string} postgres @param {import('./pg-native.mjs').RunAs} as @param {number} port
 * @param {Record<string, string>} settings
 */
async function startOnce(dir, postgres, as, port, settings) {
  const { data, log } = files(dir);
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) fs.truncateSync(log);
  const out = fs.openSync(log, 'a');
  const before = fs.fstatSync(out).size;
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '100', ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = postgres, ...args] = [...as.wrap, postgres, '-D', data, '-p', String(port), ...options];
  // A session of its own: Ctrl-C in the terminal reaches the application first and the database last, through release().
  const child = spawn(command, args, { ...as.options, cwd: dir, stdio: ['ignore', out, out], detached: true });
  fs.closeSync(out);
  let ended = false;
  child.on('error', () => {
    ended = true;
  });
  child.on('exit', () => {
    ended = true;
  });
  child.unref();
  rememberServer(dir, child.pid);
  const until = Date.now() + START_TIMEOUT_MS;
  while (!ended && Date.now() < until) {
    const lines = readIfThere(files(dir).postmaster)?.split('\n');
    if (lines && Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return null;
    await sleep(POLL_MS);
  }
  if (!ended) child.kill('SIGQUIT');
  return (readIfThere(log) ?? '').slice(before) || 'it ended without a word';
}

/**
 * Starts the server of a folder that has none running; makes the data first when there are none.
 * @param {string} dir an absolute path
 * @param {{ settings?: Record<string, string>, port?: number }} options port: exactly this one; else a free one
 * @returns {Promise<Running>}
 */
export async function startServer(dir, { settings = {}, port }) {
  const { data, log } = files(dir);
  fs.mkdirSync(dir, { recursive: true });
  const { postgres, initdb, major } = binaries();
  const as = runAs({ postgres, dir, data });
  if (!fs.existsSync(data)) await createData(dir, initdb, as, settings.fsync !== 'off');
  const made = readIfThere(path.join(data, 'PG_VERSION'))?.trim();
  if (made !== String(major))
    throw new Error(
      `The data in ${shown(data)} were made by PostgreSQL ${made ?? '(unknown)'}, but the embedded server is version ${major}. ` +
        'Dump them with that version and restore them here, set DATABASE_URL to a server that can read them, or move the folder away to start afresh.',
    );
  disownStranger(dir);
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const chosen = port ?? (await freePort());
    const complaint = await startOnce(dir, postgres, as, chosen, settings);
    if (complaint === null) break;
    const portTaken = /could not bind|could not create any TCP/.test(complaint);
    if (portTaken && port !== undefined)
      throw new Error(`Port ${port} (EMBEDDED_PG_PORT) is taken. Choose another, or leave it out for a free one.`);
    const orphans = /pre-existing shared memory|lock file "postmaster.pid" already exists/.test(complaint);
    if ((!portTaken && !orphans) || Date.now() > until)
      throw new Error(
        `The embedded PostgreSQL did not start; the whole story is in ${shown(log)}.\n${lastWords(complaint)}`,
      );
    await sleep(orphans ? 250 : 0);
  }
  const server = findServer(dir);
  if (!server) throw new Error(`The embedded PostgreSQL ended just after its start, see ${shown(log)}.`);
  const admin = new URL(server.url);
  admin.pathname = '/postgres';
  const known = await query(admin.href, `SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
  if (known.rowCount === 0) await query(admin.href, `CREATE DATABASE ${DATABASE}`);
  return server;
}

/** @param {string} complaint */
const lastWords = (complaint) =>
  complaint
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR|HINT|DETAIL|error/.test(line))
    .slice(-4)
    .join('\n') || complaint.slice(-500);

/**
 * Ends the server of a folder ("fast": open transactions are rolled back) and waits until it is gone.
 * @param {string} dir
 */
export async function stopServer(dir) {
  const server = findServer(dir);
  if (!server?.certain) return;
  const target = identify(server.pid);
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGQUIT'])) {
    try {
      process.kill(server.pid, signal);
    } catch {
      return;
    }
    const until = Date.now() + STOP_TIMEOUT_MS;
    while (isAlive(target) && Date.now() < until) await sleep(POLL_MS);
    if (!isAlive(target)) return;
  }
}
