// Telling one process from another. A pid alone is not enough: after a crash or a reboot the number belongs to somebody
// else, and a lock, a database or a port would be taken from (or kept for) a stranger.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** @typedef {{ pid: number, startedAt: string | null }} Identity  startedAt is null where the system does not tell it. */

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const bootId = process.platform === 'linux' ? (read('/proc/sys/kernel/random/boot_id')?.trim() ?? '') : '';

/**
 * The identity of a living process, or null when there is none (a zombie counts as dead).
 * @param {number} pid
 * @returns {Identity | null}
 */
export function identify(pid) {
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return null;
  if (process.platform === 'linux') {
    const stat = read(`/proc/${pid}/stat`);
    if (stat === null) return exists(pid) ? { pid, startedAt: null } : null;
    // "pid (name) state …": the name may hold anything, so count from the last bracket. Field 22 is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : { pid, startedAt: `${bootId}/${fields[19]}` };
  }
  if (process.platform === 'win32') return { pid, startedAt: null };
  const asked = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return { pid, startedAt: asked.stdout?.trim() || null };
}

/** @param {number} pid */
function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Whether the very process that was written down still lives.
 * @param {Partial<Identity> | null | undefined} written
 */
export function isAlive(written) {
  if (typeof written?.pid !== 'number') return false;
  const now = identify(written.pid);
  if (!now) return false;
  return !written.startedAt || !now.startedAt || written.startedAt === now.startedAt;
}

/** This process. */
export const me = /** @type {Identity} */ (identify(process.pid) ?? { pid: process.pid, startedAt: null });
