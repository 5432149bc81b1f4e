import { access, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Where a bundle is built and where it ends: a folder beside its place first, then one rename. */

/** @returns where the finished bundle lies. */
export function bundlePath(outFolder: string, exportId: string): string {
  return path.join(outFolder, exportId);
}

/** @returns where it is built: beside its place, so that the rename stays on one file system, and hidden. */
export function partialPath(finalPath: string): string {
  return path.join(path.dirname(finalPath), `.${path.basename(finalPath)}.partial`);
}

/** Makes the folder to build in, and the folder around it where it is missing. @returns its path. */
export async function makePartial(finalPath: string): Promise<string> {
  const partial = partialPath(finalPath);
  await makeFolder(path.dirname(finalPath));
  await mkdir(partial);
  return partial;
}

/** As mkdir with `recursive`, which in Node never ends where a file system answers ENOENT under a folder that exists. */
async function makeFolder(folder: string): Promise<void> {
  const code = await mkdir(folder).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
  );
  if (code === null || code === 'EEXIST') return;
  if (code === 'ENOENT' && path.dirname(folder) !== folder) await makeFolder(path.dirname(folder));
  await mkdir(folder);
}

/** Writes a small file that must be durable before the folder gets its name. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx');
  try {
    await handle.writeFile(text, 'utf8');
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the entries of a folder durable; where a system cannot (Windows), its rename must be trusted. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a built and durable bundle its name, once, and makes the name durable. */
export async function promote(finalPath: string): Promise<void> {
  if (await exists(finalPath)) throw new Error('something already stands where the bundle belongs');
  await rename(partialPath(finalPath), finalPath);
  await syncFolder(path.dirname(finalPath));
}

/** Removes what an unfinished build of this very export left. */
export async function removePartial(finalPath: string): Promise<void> {
  await rm(partialPath(finalPath), { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    // The folder around it turned out to be a file: there is nothing of ours in it.
    if (error.code !== 'ENOTDIR') throw error;
  });
}

/** @returns true where anything stands at the path, a dangling link included. */
export async function exists(target: string): Promise<boolean> {
  return lstat(target).then(
    () => true,
    () => false,
  );
}

/** @returns true where this machine sees the folder that a bundle was to be put into. */
export async function seesParent(finalPath: string): Promise<boolean> {
  return access(path.dirname(finalPath)).then(
    () => true,
    () => false,
  );
}
