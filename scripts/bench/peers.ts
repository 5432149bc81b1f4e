import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../paths.mjs';

const run = promisify(execFile);

/**
 * Installs the job queues that the worker is measured against into a folder of their own, as their lock file names
 * them: they are no part of Docket's installation.
 * @returns the folder, or null where npm cannot get them (offline).
 */
export async function installPeers(folder: string): Promise<string | null> {
  const from = path.join(ROOT, 'scripts', 'bench', 'peers');
  const home = path.join(folder, 'peers');
  const lock = fs.readFileSync(path.join(from, 'package-lock.json'), 'utf8');
  const stamp = path.join(home, 'installed.json');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lock) return home;
  fs.mkdirSync(home, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(from, file), path.join(home, file));
  const windows = process.platform === 'win32';
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home, shell: windows });
  } catch {
    return null;
  }
  fs.writeFileSync(stamp, lock);
  return home;
}

/** @returns a package out of that folder. */
export function requirePeer(home: string, name: string): unknown {
  return createRequire(path.join(home, 'package.json'))(name);
}
