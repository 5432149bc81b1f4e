// What a stage has running, written down, so that after a kill -9 of it the next start can end what is left.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isAlive, me } from './identity.mjs';
import { dataDir } from './paths.mjs';

const GRACE_MS = 5_000;
const POLL_MS = 50;
/** Children get process groups of their own where the system has them. */
export const OWN_GROUP = process.platform !== 'win32';

const recordsDir = () => path.join(dataDir(), 'processes');
const recordOf = (/** @type {number} */ pid) => path.join(recordsDir(), `${pid}.json`);

/**
 * Writes down what this process has running.
 * @param {{ name: string, pid: number | undefined }[]} children
 */
export function rememberChildren(children) {
  const record = recordOf(process.pid);
  const known = children.map(({ name, pid }) => ({ name, ...identify(pid ?? 0) }));
  fs.mkdirSync(recordsDir(), { recursive: true });
  fs.writeFileSync(`${record}.new`, JSON.stringify({ owner: me, children: known }));
  fs.renameSync(`${record}.new`, record);
}

/** Nothing of this process runs any more. */
export const forgetChildren = () => fs.rmSync(recordOf(process.pid), { force: true });

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
    const until = Date.now() + GRACE_MS;
    while (isAlive(leader) && Date.now() < until) await sleep(POLL_MS);
    if (!isAlive(leader)) return;
  }
}
