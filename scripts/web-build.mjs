// Building the web application, and knowing whether the build that is there is that of these sources.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { CHECKOUT_LOCKS, ROOT } from './paths.mjs';

const BUILD = path.join(ROOT, '.next');
const STAMP = path.join(BUILD, 'docket-build');
const FOLDERS = ['app', 'lib', 'worker', 'components', 'public', 'prisma'];
/** Files in the root that shape the build; in the folders, tests and the generated client (a result of the schema) do not. */
const ROOT_FILE = /\.(?:ts|tsx|js|mjs|json)$/;
const NOT_BUILT = /\.test\.tsx?$|^prisma[\\/](?:generated|migrations)/;

/** The Next.js command line, as an argument of node. */
export const nextCommand = () => createRequire(import.meta.url).resolve('next/dist/bin/next');

/** Settings that every run of Next.js gets. */
export const NEXT_ENV = { NEXT_TELEMETRY_DISABLED: '1' };

function sources() {
  const inRoot = fs
    .readdirSync(ROOT)
    .filter((name) => ROOT_FILE.test(name) && !/^(?:next-env|vitest|playwright)\./.test(name));
  const inFolders = FOLDERS.filter((folder) => fs.existsSync(path.join(ROOT, folder))).flatMap((folder) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name))),
  );
  return [...inRoot, ...inFolders].filter((file) => !NOT_BUILT.test(file)).sort();
}

function sourceHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0] ?? '');
  for (const file of sources()) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(ROOT, file)));
  return hash.digest('hex');
}

/** Whether `.next` holds a finished build of these very sources. */
export const isBuilt = () =>
  fs.existsSync(path.join(BUILD, 'BUILD_ID')) &&
  fs.existsSync(STAMP) &&
  fs.readFileSync(STAMP, 'utf8') === sourceHash();

/** Whether `.next` holds any finished build. */
export const hasBuild = () => fs.existsSync(path.join(BUILD, 'BUILD_ID'));

/**
 * Builds when the build is stale (or always, with force). One build at a time in a checkout.
 * @param {(args: string[], env: NodeJS.ProcessEnv) => Promise<void>} run runs a node program to its end, throws if it fails
 * @param {{ force?: boolean, log?: (line: string) => void }} [options]
 */
export async function ensureBuilt(run, { force = false, log = () => {} } = {}) {
  if (!force && isBuilt()) return;
  const onWait = () => log('Another command is building; waiting for it…');
  await withLock(
    path.join(CHECKOUT_LOCKS, 'build'),
    async () => {
      if (!force && isBuilt()) return;
      log('Building the web application (up to a minute)…');
      fs.rmSync(STAMP, { force: true });
      const hash = sourceHash(); // of what the build starts from: an edit meanwhile makes it stale
      await run([nextCommand(), 'build'], { ...process.env, ...NEXT_ENV, NODE_ENV: 'production' });
      fs.writeFileSync(STAMP, hash);
    },
    { onWait },
  );
}
