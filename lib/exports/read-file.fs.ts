import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { cutLines, type Line } from './lines.ts';

/** What a file turned out to be, once it has been read to its end. */
export type FileFacts = {
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
  /** False where the file says it is compressed and cannot be unpacked to its end. */
  readonly readable: boolean;
};

const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a regular file without following a link and without waiting for a pipe.
 * @returns null where there is no such file or it is something else.
 */
export async function openRegular(path: string): Promise<FileHandle | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw thrown;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

function isAbsent(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
  return code === 'ENOENT' || code === 'ELOOP' || code === 'EISDIR' || code === 'ENXIO' || code === 'EMLINK';
}

/**
 * Reads an open file once, from one descriptor: what is hashed and counted is what is handed out. It closes the file.
 * @param gzip the bytes on disk are compressed; hash and size are of those bytes, lines of what is inside.
 * @returns batches of lines, and as the generator's return value the facts of the whole file.
 */
export async function* readLines(handle: FileHandle, gzip: boolean): AsyncGenerator<Line[], FileFacts> {
  const hash = createHash('sha256');
  const cutter = cutLines();
  let bytes = 0;
  const raw = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false })) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  let readable = true;
  try {
    const source = raw();
    try {
      for await (const chunk of gzip ? unpack(source, () => bytes) : source) yield cutter.push(chunk);
    } catch (thrown) {
      if (!gzip || !isPackingError(thrown)) throw thrown;
      readable = false;
    }
    yield cutter.end();
    if (readable) return { bytes, sha256: hash.digest('hex'), rows: cutter.count, readable };
    return { ...(await hashAgain(handle)), rows: cutter.count, readable };
  } finally {
    await handle.close();
  }
}

/** A broken archive ends the reading early; its size and hash are still worth telling, so it is read once more. */
async function hashAgain(handle: FileHandle): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function* unpack(source: AsyncIterable<Buffer>, bytesRead: () => number): AsyncGenerator<Buffer> {
  const out = new PassThrough({ highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const done = pipeline(Readable.from(source), gunzip, out);
  done.catch(() => {});
  for await (const chunk of out) yield chunk;
  await done;
  // zlib passes over zeros that follow the archive; nothing may travel behind it.
  if (gunzip.bytesWritten !== bytesRead())
    throw Object.assign(new Error('bytes after the archive'), { code: 'Z_TRAILING' });
}

function isPackingError(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && /^(Z_|ERR_)/.test(String(thrown.code));
}
