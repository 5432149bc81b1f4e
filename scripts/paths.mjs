// Where things are, whatever the current directory is. Only node: imports: this runs before node_modules exists.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * The folder for everything an installation keeps on this machine: the embedded database, the web secret, logs.
 * `DOCKET_DATA_DIR` moves it; a relative one counts from the root of the checkout, so that every command agrees.
 * @param {Record<string, string | undefined>} [env]
 */
export function dataDir(env = process.env) {
  return path.resolve(ROOT, env.DOCKET_DATA_DIR || '.docket');
}

/** Locks over the checkout itself (node_modules, .next); they do not move with the data. */
export const CHECKOUT_LOCKS = path.join(ROOT, '.docket', 'locks');

/**
 * A path as a person should see it: relative inside the checkout, absolute elsewhere.
 * @param {string} file
 */
export function shown(file) {
  const relative = path.relative(ROOT, file);
  return relative && !relative.startsWith('..') && !path.isAbsolute(relative) ? relative : file;
}
