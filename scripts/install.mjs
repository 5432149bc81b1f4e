// "Straight after a clone": makes sure that what package-lock.json names is installed and that Prisma's client is
// generated, and does nothing (a few milliseconds) where it is. Only node: imports.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { CHECKOUT_LOCKS, ROOT } from './paths.mjs';

const MODULES = path.join(ROOT, 'node_modules');
const LOCK_FILE = path.join(ROOT, 'package-lock.json');
const STAMP = path.join(MODULES, '.docket-install.json');
const SCHEMA = path.join(ROOT, 'prisma', 'schema.prisma');
const CLIENT = path.join(ROOT, 'prisma', 'generated', 'client.ts');
const CLIENT_STAMP = path.join(MODULES, '.docket-prisma.json');

/** @param {string} file */
const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);

/** @param {string | null} text */
const sha256 = (text) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');

/** What node_modules must have been made for. Binaries in it differ by system. */
const wantedInstall = () =>
  JSON.stringify({ lock: sha256(read(LOCK_FILE)), system: `${process.platform}-${process.arch}` });

/** @param {string | null} text @returns {Record<string, { version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean }> | null} */
function packagesOf(text) {
  try {
    return JSON.parse(text ?? 'null')?.packages ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether npm itself finished an install of this very lock file: it writes node_modules/.package-lock.json last. So an
 * install by hand counts, and one that was killed does not.
 * @param {boolean} omitDev
 */
function npmFinished(omitDev) {
  const installed = packagesOf(read(path.join(MODULES, '.package-lock.json')));
  const wanted = packagesOf(read(LOCK_FILE));
  if (!installed || !wanted) return Boolean(installed);
  return Object.entries(wanted).every(([name, { version, dev, optional, devOptional }]) => {
    if (name === '') return true;
    const there = installed[name];
    if (!there) return optional || devOptional || (omitDev && dev);
    return there.version === version && fs.existsSync(path.join(ROOT, name));
  });
}

/**
 * npm as it was started, else the one in PATH.
 * @param {string[]} args
 */
function npm(args) {
  const self = process.env.npm_execpath;
  const own = self && /npm-cli\.c?js$/.test(self);
  const options = /** @type {const} */ ({
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: !own && process.platform === 'win32',
  });
  const ran = own ? spawnSync(process.execPath, [self, ...args], options) : spawnSync('npm', args, options);
  if (ran.error)
    throw new Error(`npm could not be started (${ran.error.message}). Install Node.js with npm, then try again.`);
  if (ran.signal) throw new Error(`npm ${args[0]} was stopped (${ran.signal}).`);
  if (ran.status !== 0) throw new Error(`npm ${args[0]} failed (exit ${ran.status}); its own words are above.`);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`Docket needs Node.js 20.19 or later; this is ${process.versions.node}.`);
}

/** @param {boolean} omitDev */
async function ensureModules(omitDev) {
  if (read(STAMP) === wantedInstall() && fs.existsSync(path.join(MODULES, '.package-lock.json'))) return;
  await withLock(
    path.join(CHECKOUT_LOCKS, 'install'),
    () => {
      if (!npmFinished(omitDev)) {
        console.error('Installing what is missing (about a minute)…');
        fs.rmSync(STAMP, { force: true });
        // Everything, even for a command that needs less: on a clone the next command is the demo or the tests.
        const slim = omitDev && process.env.NODE_ENV === 'production';
        const how = ['--no-audit', '--no-fund', '--loglevel=error', slim ? '--omit=dev' : '--include=dev'];
        npm([fs.existsSync(LOCK_FILE) ? 'ci' : 'install', ...how]);
      }
      if (npmFinished(false)) fs.writeFileSync(STAMP, wantedInstall());
    },
    { onWait: () => console.error('Another command is installing; waiting for it…') },
  );
}

/** What the generated client must have been made from. */
const wantedClient = () =>
  JSON.stringify({
    schema: sha256(read(SCHEMA)),
    prisma: JSON.parse(read(path.join(MODULES, 'prisma', 'package.json')) ?? '{}').version,
  });

/** Called by the Prisma wrapper after a `generate`. */
export function rememberClient() {
  if (fs.existsSync(MODULES)) fs.writeFileSync(CLIENT_STAMP, wantedClient());
}

async function ensureClient() {
  if (!fs.existsSync(SCHEMA)) return;
  const fresh = () => fs.existsSync(CLIENT) && read(CLIENT_STAMP) === wantedClient();
  if (fresh()) return;
  await withLock(path.join(CHECKOUT_LOCKS, 'prisma'), () => {
    if (fresh()) return;
    const ran = spawnSync(process.execPath, [path.join(ROOT, 'scripts', 'prisma.mjs'), 'generate'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, DOCKET_INSTALLING: '1' },
    });
    if (ran.status !== 0) throw new Error(`prisma generate failed:\n${ran.stdout}${ran.stderr}`);
  });
}

/**
 * Installs and generates what is missing; safe to call from several processes at once. Progress goes to standard error.
 * @param {{ omitDev?: boolean }} [options] omitDev: an installation without development packages is enough
 * @returns {Promise<void>}
 */
export async function ensureInstalled({ omitDev = false } = {}) {
  checkNode();
  await ensureModules(omitDev);
  if (!omitDev || !fs.existsSync(CLIENT)) await ensureClient();
}
