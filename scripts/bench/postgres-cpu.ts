import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Clock ticks a second in /proc, on every Linux. */
const TICKS_PER_SECOND = 100;
/** Places in /proc/PID/stat, counted after the name of the process, which may hold blanks. */
const PARENT = 1;
const OWN = [11, 12] as const;
const ENDED_CHILDREN = [13, 14] as const;

function statOf(pid: string): number[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null; // ended meanwhile
  }
}

/**
 * The CPU time that a PostgreSQL server on this machine has used: of its postmaster and of all its processes, those that
 * have ended too. Unlike a rate it hardly moves when the machine is busy with other things.
 * @param folder of the embedded server.
 * @returns milliseconds, or null where the system does not tell.
 */
export function postgresCpuMs(folder: string): number | null {
  if (process.platform !== 'linux') return null;
  const postmaster = readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0] ?? '';
  const own = statOf(postmaster);
  if (!own) return null;
  const add = (stat: readonly number[], places: readonly number[]): number =>
    places.reduce((sum, at) => sum + (stat[at] ?? 0), 0);
  let ticks = add(own, [...OWN, ...ENDED_CHILDREN]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (stat && String(stat[PARENT]) === postmaster) ticks += add(stat, OWN);
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}
